import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDatabase, temporaryPath } from '../../../test/temporary-database.ts'
import { StoreUnavailable, TooExpensive } from '../plan.ts'
import { ReaderThreads } from './reader-threads.ts'

function threads(patience?: number): ReaderThreads {
  const path = temporaryPath()
  temporaryDatabase(path).exec('PRAGMA journal_mode = wal; CREATE TABLE t (n); INSERT INTO t VALUES (1), (2)')
  const made = new ReaderThreads(path, patience)
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

  it('stop what takes too long, also what only waited, and go on with the next', async () => {
    const { read } = bound(threads(300))
    const reads = await Promise.allSettled([read(endless), read(endless), read(endless)])
    for (const one of reads) expect(one).toMatchObject({ status: 'rejected', reason: expect.any(TooExpensive) })
    expect((await read('select 7')).row).toEqual([7])
  })

  it('tell of a fault, and go on', async () => {
    const { read } = bound(threads())
    await expect(read('select some from nowhere')).rejects.toThrow('nowhere')
    expect((await read('select 7')).row).toEqual([7])
  })

  it('leave nobody waiting when they are closed', async () => {
    const made = threads(60_000)
    const reading = Promise.allSettled([made.read(endless, []), made.read(endless, []), made.read('select 1', [])])
    setTimeout(() => made.close(), 100)
    for (const one of await reading) expect(one).toMatchObject({ reason: expect.any(StoreUnavailable) })
    await expect(made.read('select 1', [])).rejects.toThrow(StoreUnavailable)
  })
})

function bound(made: ReaderThreads) {
  return { read: (text: string, values: readonly unknown[] = []) => made.read(text, values) }
}
