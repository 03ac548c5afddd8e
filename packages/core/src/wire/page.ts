/** Pagination: the envelope of every paginated list. */

/** A page of a paginated list. */
export interface Page {
  /** From 1. */
  readonly pageNumber: number
  /** In records. */
  readonly pageSize: number
}

/** The pagination metadata of a list response. */
export interface PageInfo extends Page {
  readonly numberOfPages: number
  readonly numberOfRecords: number
}

/** The response of a paginated list. */
export interface Envelope<Item> {
  readonly pageInfo: PageInfo
  readonly results: readonly Item[]
}

/**
 * Computes the pagination metadata of a list. An empty collection has 0 pages. A page number past the end stays as it is.
 *
 * @example
 * ```ts
 * pageInfo({ pageNumber: 1, pageSize: 10 }, 25) // { pageSize: 10, pageNumber: 1, numberOfPages: 3, numberOfRecords: 25 }
 * ```
 */
export function pageInfo({ pageNumber, pageSize }: Page, numberOfRecords: number): PageInfo {
  return { pageSize, pageNumber, numberOfPages: Math.ceil(numberOfRecords / pageSize), numberOfRecords }
}
