/** Remembers which records were read, to distinguish a fault of the service from a change by another client. */
import { createHash } from 'node:crypto'
import { isObject } from '@nomen/core/openapi'
import type { CheckResponse } from './exchange.ts'

export class ReadLog {
  /** For each URL the digests of the records that it returned. */
  readonly #digests = new Map<string, ReadonlySet<string>>()
  /** The URLs of the current repetition; undefined before the first one. */
  #repeatedUrls: Set<string> | undefined
  #hasChanged = false

  /** Only successful reads count: an error in one of two equal requests is not a change of records. */
  add(response: CheckResponse): void {
    const { request, url, status } = response
    if (request.method !== 'GET' || status !== 200) return
    const digest = digestOf(response)
    const digests = this.#digests.get(url) ?? new Set()
    if (!this.#repeatedUrls || this.#repeatedUrls.has(url)) {
      this.#digests.set(url, new Set([...digests, digest]))
      return
    }
    this.#repeatedUrls.add(url)
    if ([...digests].some((candidate) => candidate !== digest)) this.#hasChanged = true
    this.#digests.set(url, new Set([digest]))
  }

  /** Compares the following reads with all earlier ones. The result reports whether records have changed. */
  startRepetition(): () => boolean {
    this.#repeatedUrls = new Set()
    this.#hasChanged = false
    return () => {
      this.#repeatedUrls = undefined
      return this.#hasChanged
    }
  }
}

/** The digest of the records in a response. The rest of a page, such as the time of the query, may always differ. */
function digestOf({ json, text }: CheckResponse): string {
  const isPage = isObject(json) && Array.isArray(json.results)
  const pageInfo = isPage && isObject(json.pageInfo) ? json.pageInfo : {}
  const content = isPage ? JSON.stringify([json.results, pageInfo.numberOfRecords ?? null]) : text
  return createHash('sha256').update(content).digest('base64')
}
