/** What is asked of a contender, in nobody's own words. */

export type Ask =
  | { readonly of: 'record'; readonly id: number }
  | { readonly of: 'page'; readonly number: number; readonly filter?: Filter }
  | { readonly of: 'change'; readonly id: number; readonly phone: string }

/** Properties and the values that a record must have. */
export type Filter = Readonly<Record<string, string | number>>

/** Records on a page, always. */
export const pageSize = 10
