import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDatabase, temporaryPath } from '../../../../test/temporary-database.ts'
import { QueryTimeout, StoreUnavailable, TooLarge, TooManyLists } from '../../fault/error.ts'
import { ReaderThreads, type ReaderThreadsOptions } from './reader-threads.ts'

function threads(options: ReaderThreadsOptions = {}): ReaderThreads {
  const path = temporaryPath()
  temporaryDatabase(path).exec('PRAGMA journal_mode = wal; CREATE TABLE t (n); INSERT INTO t VALUES (1), (2)')
  const readers = new ReaderThreads(path, options)
  onTestFinished(() => readers.close())
  return readers
}

/** Runs until it is stopped. */
const endless =
  'with recursive n (i) as (select 1 union all select i + 1 from n where i & 1023 <> 0 or in_time()) select max(i) from n'

describe('reader threads', () => {
  it('run more statements than there are threads', async () => {
    const { read } = readerOf(threads({ waitMs: 60_000 }))
    const rows = await Promise.all(Array.from({ length: 20 }, (_, index) => read('select sum(n) + ? from t', [index])))
    expect(rows.map(({ row }) => row[0])).toEqual(Array.from({ length: 20 }, (_, index) => 3 + index))
  })

  it('stop a slow statement, and run the next one', async () => {
    const { read } = readerOf(threads({ timeoutMs: 300 }))
    const reads = await Promise.allSettled([read(endless), read(endless), read(endless)])
    for (const read of reads) expect(read).toMatchObject({ status: 'rejected', reason: expect.any(QueryTimeout) })
    expect((await read('select 7')).row).toEqual([7])
  })

  it('report a statement that waited too long as too many, not as too slow', async () => {
    const { read } = readerOf(threads({ timeoutMs: 2000, waitMs: 200 }))
    const slow = [read(endless), read(endless)]
    const waiting = await Promise.allSettled([read('select 7'), read('select 7')])
    for (const result of waiting) expect(result).toMatchObject({ reason: expect.any(TooManyLists) })
    for (const result of await Promise.allSettled(slow))
      expect(result).toMatchObject({ reason: expect.any(QueryTimeout) })
  })

  it('reserve one thread for statements that are not slow', async () => {
    const readers = threads({ timeoutMs: 3000, waitMs: 2500 })
    const slow = Promise.allSettled(Array.from({ length: 40 }, () => readers.read(endless, [], true)))
    for (let time = 0; time < 10; time++) expect((await readers.read('select 7', [])).row).toEqual([7])
    const reasons = (await slow).map((result) => (result.status === 'rejected' ? result.reason.constructor : undefined))
    expect(new Set(reasons)).toEqual(new Set([QueryTimeout, TooManyLists]))
  })

  it('reject at once if too many wait', async () => {
    const readers = threads({ timeoutMs: 500, waitMs: 60_000 })
    const reads = Array.from({ length: 110 }, () => readers.read(endless, []))
    const settled = Promise.allSettled(reads)
    await expect(readers.read('select 7', [])).rejects.toThrow(TooManyLists)
    await readers.close()
    await settled
  })

  it('reject a string that is too long', async () => {
    const { read } = readerOf(threads({ maxBytes: 10_000 }))
    const text = (bytes: number) => `select group_concat(n || printf('%.*c', ${bytes}, 'a'), '') from t`
    expect((await read(text(4000))).row[0]).toHaveLength(8002)
    await expect(read(text(5000))).rejects.toThrow(TooLarge)
    expect((await read('select 7')).row).toEqual([7])
  })

  it('report a fault, and keep running', async () => {
    const { read } = readerOf(threads())
    await expect(read('select some from nowhere')).rejects.toThrow('nowhere')
    expect((await read('select 7')).row).toEqual([7])
  })

  it('reject waiting statements when they are closed', async () => {
    const readers = threads({ timeoutMs: 60_000 })
    const reading = Promise.allSettled([
      readers.read(endless, []),
      readers.read(endless, []),
      readers.read('select 1', []),
    ])
    setTimeout(() => readers.close(), 100)
    for (const result of await reading) expect(result).toMatchObject({ reason: expect.any(StoreUnavailable) })
    await expect(readers.read('select 1', [])).rejects.toThrow(StoreUnavailable)
  })
})

function readerOf(readers: ReaderThreads) {
  return { read: (text: string, values: readonly unknown[] = []) => readers.read(text, values) }
}
