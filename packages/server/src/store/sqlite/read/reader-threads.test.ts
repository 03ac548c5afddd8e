import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDatabase, temporaryPath } from '../../../../test/temporary-database.ts'
import { QueryTimeout, StoreUnavailable, TooLarge, TooManyLists } from '../../error.ts'
import { ReaderThreads, type ReaderThreadsOptions } from './reader-threads.ts'

function threads(options: ReaderThreadsOptions = {}): ReaderThreads {
  const path = temporaryPath()
  temporaryDatabase(path).exec('PRAGMA journal_mode = wal; CREATE TABLE t (n); INSERT INTO t VALUES (1), (2)')
  const made = new ReaderThreads(path, options)
  onTestFinished(() => made.close())
  return made
}

/** Goes on as long as it may. */
const endless =
  'with recursive n (i) as (select 1 union all select i + 1 from n where i & 1023 <> 0 or in_time()) select max(i) from n'

describe('threads that read', () => {
  it('read many statements, more than there are threads', async () => {
    const { read } = bound(threads())
    const rows = await Promise.all(Array.from({ length: 20 }, (_, index) => read('select sum(n) + ? from t', [index])))
    expect(rows.map(({ row }) => row[0])).toEqual(Array.from({ length: 20 }, (_, index) => 3 + index))
  })

  it('stop what takes too long, and go on with the next', async () => {
    const { read } = bound(threads({ timeoutMs: 300 }))
    const reads = await Promise.allSettled([read(endless), read(endless), read(endless)])
    for (const one of reads) expect(one).toMatchObject({ status: 'rejected', reason: expect.any(QueryTimeout) })
    expect((await read('select 7')).row).toEqual([7])
  })

  it('say of what waited too long that there are too many, not that it took too long', async () => {
    const { read } = bound(threads({ timeoutMs: 2000, waitMs: 200 }))
    const slow = [read(endless), read(endless)]
    const waiting = await Promise.allSettled([read('select 7'), read('select 7')])
    for (const one of waiting) expect(one).toMatchObject({ reason: expect.any(TooManyLists) })
    for (const one of await Promise.allSettled(slow)) expect(one).toMatchObject({ reason: expect.any(QueryTimeout) })
  })

  it('keep one thread for what is not slow, however many slow ones wait', async () => {
    const made = threads({ timeoutMs: 3000, waitMs: 1000 })
    const slow = Promise.allSettled(Array.from({ length: 40 }, () => made.read(endless, [], true)))
    for (let time = 0; time < 10; time++) expect((await made.read('select 7', [])).row).toEqual([7])
    const reasons = (await slow).map((one) => (one.status === 'rejected' ? one.reason.constructor : undefined))
    expect(new Set(reasons)).toEqual(new Set([QueryTimeout, TooManyLists]))
  })

  it('refuse at once where too many wait', async () => {
    const made = threads({ timeoutMs: 500, waitMs: 60_000 })
    const reads = Array.from({ length: 110 }, () => made.read(endless, []))
    const settled = Promise.allSettled(reads)
    await expect(made.read('select 7', [])).rejects.toThrow(TooManyLists)
    await made.close()
    await settled
  })

  it('read no text that is longer than it may be', async () => {
    const { read } = bound(threads({ maxBytes: 10_000 }))
    const text = (bytes: number) => `select group_concat(n || printf('%.*c', ${bytes}, 'a'), '') from t`
    expect((await read(text(4000))).row[0]).toHaveLength(8002)
    await expect(read(text(5000))).rejects.toThrow(TooLarge)
    expect((await read('select 7')).row).toEqual([7])
  })

  it('tell of a fault, and go on', async () => {
    const { read } = bound(threads())
    await expect(read('select some from nowhere')).rejects.toThrow('nowhere')
    expect((await read('select 7')).row).toEqual([7])
  })

  it('leave nobody waiting when they are closed', async () => {
    const made = threads({ timeoutMs: 60_000 })
    const reading = Promise.allSettled([made.read(endless, []), made.read(endless, []), made.read('select 1', [])])
    setTimeout(() => made.close(), 100)
    for (const one of await reading) expect(one).toMatchObject({ reason: expect.any(StoreUnavailable) })
    await expect(made.read('select 1', [])).rejects.toThrow(StoreUnavailable)
  })
})

function bound(made: ReaderThreads) {
  return { read: (text: string, values: readonly unknown[] = []) => made.read(text, values) }
}
