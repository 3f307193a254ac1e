/** How the parts of a text are told apart. The terminal gives them colours, everyone else leaves them as they are. */

export type Role =
  | 'number' // of a step
  | 'message' // what a step is about
  | 'action' // its technical name
  | 'change' // a part of the state that changed
  | 'old' // what was there before
  | 'new' // what is there now
  | 'failed' // what is violated
  | 'hint'

/** Must not change how many columns a text takes. */
export type Style = (role: Role, text: string) => string

export const plainStyle: Style = (_, text) => text
