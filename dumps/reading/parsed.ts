/** What a reader of one kind of line makes of a text. */

export type Parsed<T> =
  /** `rest` is text after the end, which somebody added. */
  | { readonly state: 'whole'; readonly value: T; readonly rest: string }
  /** It may go on in the next line; `value` is what it says so far, if that is of use by itself. */
  | { readonly state: 'unfinished'; readonly value: T | undefined }
  | { readonly state: 'broken'; readonly why: string }

export const broken = (why: string): { readonly state: 'broken'; readonly why: string } => ({
  state: 'broken',
  why,
})

/** The tail of a pair that a line break has cut in two. */
export const isCutPair = (text: string): boolean =>
  /^\s*(?:[A-Za-z]\w*(?::\s*)?)?$/.test(text) || /^\s*[A-Za-z]\w*:\s*(?:Some\(|Optional)\S*$/.test(text)
