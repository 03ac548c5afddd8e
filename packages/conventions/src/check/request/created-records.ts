/** The records that a check has created and must delete. */
import type { DocumentOperation } from '@nomen/core/openapi'
import { expect, Skip } from '../finding.ts'
import type { CheckResponse } from './exchange.ts'
import type { Sender } from './sender.ts'

interface WrittenRecord {
  readonly path: string
  readonly operation: DocumentOperation
}

export class CreatedRecords {
  readonly #tracked = new Map<string, WrittenRecord>()
  #count = 0
  #unknown: CheckResponse | undefined
  /** The responses to each second DELETE. */
  readonly deletedTwice: CheckResponse[] = []

  track(record: WrittenRecord): void {
    this.#count++
    this.#tracked.set(record.path, record)
  }

  /** A record was created whose ID is unknown. */
  trackUnknown(response: CheckResponse): void {
    this.#count++
    this.#unknown ??= response
  }

  untrack(path: string): void {
    this.#tracked.delete(path)
  }

  isTracked(path: string): boolean {
    return this.#tracked.has(path)
  }

  /** Deletes all remaining records, the newest first, despite the limit of requests. */
  async deleteAll(sender: Sender): Promise<void> {
    if (this.#count === 0) throw new Skip('no record was created')
    let failedDelete: CheckResponse | undefined
    for (const { path } of [...this.#tracked.values()].reverse()) {
      const response = await sender.send({ method: 'DELETE', path }, true)
      if (response.status >= 300 && response.status !== 404) failedDelete ??= response
    }
    const failure = failedDelete ?? this.#unknown
    expect(failure === undefined, () => ({
      expected: 'all created records to be deleted',
      actual: failedDelete
        ? `DELETE ${failedDelete.request.path} returned status ${failedDelete.status}`
        : 'the ID of a created record is unknown',
      ...(failure && { response: failure }),
    }))
  }

  /** A second DELETE gives 200 for all nouns, or 404 for all. */
  checkSecondDeletes(): void {
    const [first, ...others] = this.deletedTwice
    if (!first || others.length === 0) throw new Skip('the check repeated DELETE for fewer than two records')
    const different = others.find(({ status }) => status !== first.status)
    expect(different === undefined, () => ({
      expected: `status ${first.status} for a second DELETE, as for ${first.request.path}`,
      actual: `it is ${different?.status}`,
      ...(different && { response: different }),
    }))
  }
}
