/** The requests of a benchmark, independent of the API of a contender. */

export type RequestSpec =
  | { readonly target: 'record'; readonly id: number }
  | { readonly target: 'page'; readonly number: number; readonly size?: number; readonly filter?: Filter }
  | { readonly target: 'change'; readonly id: number; readonly phone: string }

/** Properties and their required values. */
export type Filter = Readonly<Record<string, string | number>>

/** The number of records per page. */
export const pageSize = 10
