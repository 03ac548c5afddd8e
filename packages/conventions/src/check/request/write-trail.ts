/** What the writes of a check leave behind, and must take away again. */
import type { DocumentOperation } from '@nomen/core/openapi'
import { expect, Skip } from '../finding.ts'
import type { Answer } from './exchange.ts'
import type { Sender } from './sender.ts'

interface Debt {
  readonly path: string
  readonly operation: DocumentOperation
}

export class WriteTrail {
  readonly #owed = new Map<string, Debt>()
  #count = 0
  #lost: Answer | undefined
  /** The answers to every second DELETE. */
  readonly deletedTwice: Answer[] = []

  owe(debt: Debt): void {
    this.#count++
    this.#owed.set(debt.path, debt)
  }

  /** Something was made, and nothing tells which record it is. */
  lose(answer: Answer): void {
    this.#count++
    this.#lost ??= answer
  }

  settle(path: string): void {
    this.#owed.delete(path)
  }

  isOwed(path: string): boolean {
    return this.#owed.has(path)
  }

  /** Deletes what is left, the last made first, whatever the limit of requests. */
  async clear(sender: Sender): Promise<void> {
    if (this.#count === 0) throw new Skip('nothing was made')
    let left: Answer | undefined
    for (const { path } of [...this.#owed.values()].reverse()) {
      const answer = await sender.send({ method: 'DELETE', path }, true)
      if (answer.status >= 300 && answer.status !== 404) left ??= answer
    }
    const stays = left ?? this.#lost
    expect(stays === undefined, () => ({
      expected: 'everything that was made to be deleted again',
      actual: left ? `DELETE ${left.ask.path} gave status ${left.status}` : 'nothing tells what POST has made',
      ...(stays && { answer: stays }),
    }))
  }

  /** Deleted again, a record gives 200 or 404: one of them, everywhere. */
  sameEverywhere(): void {
    const [first, ...rest] = this.deletedTwice
    if (!first || rest.length === 0) throw new Skip('fewer than two records were deleted twice')
    const other = rest.find(({ status }) => status !== first.status)
    expect(other === undefined, () => ({
      expected: `status ${first.status} for a second DELETE, as of ${first.ask.path}`,
      actual: `it is ${other?.status}`,
      ...(other && { answer: other }),
    }))
  }
}
