/** Sizes of texts. */

const encoder = new TextEncoder()

/** Bytes in UTF-8. */
export const byteLength = (text: string): number =>
  /^[\x20-\x7e]*$/.test(text) ? text.length : encoder.encode(text).length
