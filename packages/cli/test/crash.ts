/** Many clients that write while a process is killed, and checks of their records afterwards. */

import { type Random, randomFrom } from '@nomen/testing/random'
import { expect } from 'vitest'
import { DirectoryWriter, Identities, type User } from './directory-writer.ts'
import { connections, type HttpResponse, sendRequest } from './send-request.ts'

/** Clients that write until the connection is lost or the database is not available. */
export class WriterGroup {
  readonly identities = new Identities()
  readonly writers: readonly DirectoryWriter[]
  readonly counters: readonly Counter[]

  constructor(random: Random, numberOfWriters: number) {
    this.writers = Array.from(
      { length: numberOfWriters },
      (_, index) => new DirectoryWriter(`w${index}`, randomFrom(random.below(2 ** 32)), this.identities),
    )
    this.counters = Array.from({ length: 4 }, () => new Counter())
  }

  /** Resolves when all of them have stopped. */
  async write(base: string): Promise<void> {
    await Promise.all([
      ...this.writers.map((writer) => writer.write(base)),
      ...this.counters.map((counter) => counter.write(base)),
    ])
  }

  get acknowledged(): number {
    return this.writers.reduce((sum, writer) => sum + writer.acknowledged, 0)
  }

  get acknowledgedCounts(): number {
    return this.counters.reduce((sum, counter) => sum + counter.acknowledged, 0)
  }

  /** The number of writers whose last request has an unknown outcome. */
  get uncertainCount(): number {
    return this.writers.filter(({ uncertainRequest }) => uncertainRequest).length
  }

  /** Expects that acknowledged writes are stored, uncertain ones completely or not at all, and that totals match. */
  async expectStored(base: string, numberOfUsers: number): Promise<void> {
    await expectTotals(base, '/user', numberOfUsers)
    await Promise.all(
      this.writers.map(async (writer) => {
        await writer.resolveUncertainRequest(base)
        await writer.verify()
      }),
    )
    await this.#expectNoReuse(base)
    await this.#expectCounted(base)
  }

  /** Expects that the highest ID is not reused after its record is deleted. */
  async #expectNoReuse(base: string): Promise<void> {
    const highest = this.identities.highest('user')
    const owner = this.writers.find(({ users }) => users.has(highest))
    await owner?.remove(highest)
    const created = await sendRequest(`${base}/user`, {
      method: 'POST',
      body: { firstName: '', lastName: '', email: `after${highest}@example.com`, department: 1 },
    })
    expect(created.status).toBe(201)
    const { id } = created.json() as User
    expect(id).toBeGreaterThan(highest)
    this.identities.addNew('user', id)
  }

  /** Expects that no acknowledged count was overwritten. */
  async #expectCounted(base: string): Promise<void> {
    const count = countOf(await sendRequest(base + counterPath))
    const uncertain = this.counters.reduce((sum, counter) => sum + counter.uncertain, 0)
    expect(count).toBeGreaterThanOrEqual(this.acknowledgedCounts)
    expect(count).toBeLessThanOrEqual(this.acknowledgedCounts + uncertain)
  }
}

const counterPath = '/department/15'

function countOf(response: HttpResponse): number {
  return Number((response.json() as { name: string }).name) || 0
}

/** Increments a counter in the name of a department, with the ETag of the version that it has read. */
export class Counter {
  acknowledged = 0
  uncertain = 0

  async write(base: string): Promise<void> {
    const agent = connections(1)
    try {
      for (;;) {
        const current = await sendRequest(base + counterPath, { agent })
        if (current.status === 503) return
        const name = `${countOf(current) + 1}`
        const headers = { 'if-match': `${current.headers.etag}` }
        this.uncertain++
        const response = await sendRequest(base + counterPath, { method: 'PATCH', body: { name }, headers, agent })
        // The request stays uncertain if the response says so.
        if (response.status === 503 && isUncertain(response)) return
        this.uncertain--
        if (response.status === 503) return
        if (response.status === 200) this.acknowledged++
        else expect(response.status).toBe(412)
      }
    } catch (error) {
      // Only a connection error has a code.
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }
}

function isUncertain(response: HttpResponse): boolean {
  return (response.json() as { detail: string }).detail.includes('the outcome is unknown')
}

/** Expects that the totals of a list match the records of all its pages. */
export async function expectTotals(base: string, path: string, count: number): Promise<void> {
  const agent = connections(1)
  const ids = new Set<number>()
  for (let pageNumber = 1; ; pageNumber++) {
    const page = (await sendRequest(`${base}${path}?pageSize=97&pageNumber=${pageNumber}`, { agent })).json() as {
      pageInfo: { numberOfRecords: number }
      results: User[]
    }
    expect(page.pageInfo.numberOfRecords).toBe(count)
    for (const { id } of page.results) ids.add(id)
    if (page.results.length < 97) break
  }
  expect(ids.size).toBe(count)
}

type Row = Readonly<Record<string, unknown>>

/** Expects consistent records on any database: folded texts, and preferences with exactly one value. */
export function expectConsistentRecords(
  users: readonly Row[],
  preferences: readonly Row[],
  identities: Identities,
): void {
  for (const user of users) {
    for (const field of ['firstName', 'lastName', 'email'])
      expect(user[`${field}_folded`], `${field} of user ${user.id}`).toBe(fold(`${user[field]}`))
    identities.add('user', Number(user.id))
  }
  for (const preference of preferences) {
    expect((preference.enabled === null) !== (preference.value === null), `preference ${preference.id}`).toBe(true)
    identities.add('preference', Number(preference.id))
  }
}

function fold(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}
