/** A repeated check excuses a failure only if other clients changed the records. */
import { type CheckReport, checkService } from '@nomen/conventions'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { changeBody, isBook, isBookList } from './fault/fault.ts'
import { partialFaults } from './fault-share/partial-fault.ts'
import { shareFound } from './fault-share/share-found.ts'
import { libraryFetch } from './library.ts'
import type { Behavior } from './library-behavior.ts'
import { sampleStore } from './library-data.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

function check(behavior: Partial<Behavior>, seed = 'a', store = sampleStore()): Promise<CheckReport> {
  vi.stubGlobal('fetch', libraryFetch(behavior, store))
  return checkService({ base: 'http://library', seed })
}

const outcomesOf = ({ results }: CheckReport, code: string, subject = '/book') =>
  results.filter((result) => result.code === code && result.subject === subject).map(({ outcome }) => outcome)

describe('a failure that does not happen again', () => {
  it('is a failure if the repetition read the same records', async () => {
    const seen = new Set<string>()
    const report = await check({
      onResponse: (response, request) => {
        const isFirst = isBook(request) && !seen.has(request.target)
        seen.add(request.target)
        return isFirst && request.target === '/book/7' ? { ...response, status: 500 } : response
      },
    })
    expect(outcomesOf(report, 'read')).toEqual(['failed'])
    expect(report.results.find(({ outcome }) => outcome === 'failed')?.note).toBe(
      'passed when it was repeated, although no records had changed',
    )
  })

  it('is excused if another client changed a record during the check', async () => {
    const store = sampleStore()
    const report = await check(
      {
        onResponse: (response, { target }) => {
          const book = store.book?.[6]
          if (book && target === '/book/6') book.title = 'Changed by another client'
          return response
        },
      },
      'a',
      store,
    )
    expect(report.counts.failed).toBe(0)
    const notes = report.results.map(({ note }) => note ?? '').join('\n')
    expect(notes).toContain('failed once, then passed after other clients had changed records: expected title')
  })

  it('is a failure if the rest of a page differs, but not its records', async () => {
    let count = 0
    const report = await check(
      changeBody(isBookList, (body) => {
        count++
        const isFirst = count === 4
        return { ...body, took: count, pageInfo: { ...body.pageInfo, ...(isFirst && { pageSize: 3 }) } }
      }),
    )
    expect(report.results.map(({ note }) => note ?? '').join()).not.toContain('failed once')
    expect(report.counts.failed).toBeGreaterThan(0)
  })

  it('is a failure if the request limit stops the repetition', async () => {
    let [requests, requestsBeforeFault] = [0, 0]
    const behavior: Partial<Behavior> = {
      onRequest: (request) => {
        requests++
        if (isBook(request)) requestsBeforeFault ||= requests
        return request
      },
      onResponse: (response, request) => (isBook(request) ? { ...response, status: 500 } : response),
    }
    await check(behavior)
    for (const more of [4, 8, 52]) {
      vi.stubGlobal('fetch', libraryFetch(behavior))
      const limits = { seed: 'a', maxRequests: requestsBeforeFault + more }
      const { results } = await checkService({ base: 'http://library', ...limits })
      expect(results.map(({ note }) => note ?? '').join()).not.toContain('failed once')
    }
  })
})

it.each([1, 2, 3])('a list below parents is read where its only record is, here author %i', async (author) => {
  const { author: authors = [], ...others } = sampleStore()
  const award = [{ id: 1, author, label: 'Award 1', year: 1990 }]
  const report = await check({}, 'a', { ...others, author: authors.slice(0, 3), award })
  expect(outcomesOf(report, 'read', '/author/{authorId}/award')).toEqual(['passed'])
})

it('a list that fails below one of the parents is reported', async () => {
  let failing: string | undefined
  const report = await check({
    onResponse: (response, { parts: [, parent, name, child] }) => {
      if (name !== 'award' || child !== undefined || response.status !== 200) return response
      failing ??= parent
      return parent === failing ? { ...response, status: 500, body: { detail: 'boom' } } : response
    },
  })
  expect(outcomesOf(report, 'envelope', '/author/{authorId}/award')).toEqual(['failed'])
})

it.each(partialFaults.map((fault) => [fault.name, fault] as const))(
  'a fault in one record of a short list is always found: %s',
  async (_, fault) => {
    expect(await shareFound(fault, { size: 50, share: 0.01, seeds: 2 })).toEqual({ found: 2, excused: 0 })
  },
)

it('a fault in a tenth of a long list is nearly always found, and never excused', async () => {
  const [listAgrees] = partialFaults
  if (!listAgrees) throw new Error('There is no fault.')
  const { found, excused } = await shareFound(listAgrees, { size: 150, share: 0.1, seeds: 5 })
  expect(found).toBeGreaterThanOrEqual(4)
  expect(excused).toBe(0)
})
