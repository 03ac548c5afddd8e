/** Pages: the envelope of every paginated list. */

export interface Page {
  readonly pageNumber: number
  readonly pageSize: number
}

export interface PageInfo extends Page {
  readonly numberOfPages: number
  readonly numberOfRecords: number
}

/** What a paginated list answers. */
export interface Envelope<Item> {
  readonly pageInfo: PageInfo
  readonly results: readonly Item[]
}

/**
 * An empty collection has 0 pages; a page past the end keeps its number.
 *
 * ```ts
 * pageInfo({ pageNumber: 1, pageSize: 10 }, 25) // numberOfPages: 3
 * ```
 */
export function pageInfo({ pageNumber, pageSize }: Page, numberOfRecords: number): PageInfo {
  return { pageSize, pageNumber, numberOfPages: Math.ceil(numberOfRecords / pageSize), numberOfRecords }
}
