// `nomen load` while it is killed or stopped, and while a service uses the same database.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { nomenArguments } from '@nomen/testing/compiled'
import { describe, expect, it } from 'vitest'
import { nomen, serve, start, waitUntil } from './nomen.ts'
import { count, figures, noteServiceFolder, notes, people, rows, tryCount } from './note-service.ts'
import { connections, sendRequest } from './send-request.ts'

describe('nomen load', () => {
  it.each([
    ['records without unique values', 'note', notes(60_000)],
    ['records with unique values', 'person', people(30_000)],
  ])('loads %s once each, even if it is killed repeatedly', async (_, noun, file) => {
    const folder = noteServiceFolder({ 'file.csv': file })
    const expected = file.split('\n').length - 2
    const loadedCounts: number[] = [0]
    for (const wait of [0, 60, 150]) {
      const before = loadedCounts.at(-1) as number
      const running = start(['load', noun, 'file.csv'], { folder })
      await waitUntil(() => tryCount(folder, noun) > before, 30_000, 'more records are loaded')
      await pause(wait)
      running.kill('SIGKILL')
      await running.exit
      loadedCounts.push(count(folder, noun))
    }
    // Each run continued after the previous one, and was killed before its end.
    expect(loadedCounts).toEqual(loadedCounts.toSorted((a, b) => a - b))
    expect(loadedCounts[2]).toBeLessThan(expected)
    const second = await nomen(['load', noun, 'file.csv'], { folder })
    expect(second).toMatchObject({ code: 0 })
    const last = await nomen(['load', noun, 'file.csv'], { folder })
    expect([last.code, last.errors]).toEqual([0, expect.any(String)])
    expect(figures(last)).toEqual(['0', undefined, expected.toLocaleString('en-US'), '0'])
    const name = noun === 'note' ? 'title' : 'name'
    const distinct = rows(folder, `select count(distinct "${name}") as "count" from "${noun}"`)
    expect([count(folder, noun), distinct]).toEqual([expected, [{ count: expected }]])
    // The last run has built the totals, and the indexes with them.
    const total = `select sum("records") as "count" from "_tally_${noun}" where "key" = '' and "level" = 2`
    expect(rows(folder, total)).toEqual([{ count: expected }])
    expect(rows(folder, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  })

  it('stops at a signal, reports its progress, and resumes at the next run', async () => {
    const folder = noteServiceFolder({ 'notes.csv': notes(60_000) })
    const running = start(['load', 'note', 'notes.csv'], { folder })
    await waitUntil(() => tryCount(folder, 'note') > 0, 30_000, 'records are loaded')
    running.kill('SIGINT')
    const stopped = await running.exit
    expect([stopped.code, stopped.errors]).toEqual([1, ''])
    expect(stopped.output).toMatch(
      /\nThe load was interrupted\. Run the command again to load the remaining records\.\n$/,
    )
    const [loaded] = figures(stopped)
    expect(count(folder, 'note').toLocaleString('en-US')).toBe(loaded)
    const second = await nomen(['load', 'note', 'notes.csv'], { folder })
    expect(figures(second)[2]).toBe(loaded)
    expect(second.output).toMatch(
      /\nRecords up to line [\d,]+ were processed in an earlier run \(.* UTC\)\. Use --again to start from the first line\.\n/,
    )
    expect(count(folder, 'note')).toBe(60_000)
    const again = await nomen(['load', 'note', 'notes.csv', '--again'], { folder })
    expect(figures(again)[0]).toBe('60,000')
  })

  it('stops at a signal while it waits for standard input', async () => {
    const folder = noteServiceFolder()
    const child = spawn(process.execPath, [...nomenArguments, 'load', 'note', '-'], {
      cwd: folder,
    })
    const exit = once(child, 'close')
    child.stdin.write('title\nA\nB')
    await waitUntil(() => existsSync(join(folder, 'data/desk.db')), 20_000, 'it has begun')
    await pause(200)
    child.kill('SIGTERM')
    expect(await exit).toEqual([1, null])
    expect(count(folder, 'note')).toBe(0)
  })

  it('does not block reads and writes of a running service', async () => {
    const folder = noteServiceFolder({ 'people.csv': people(15_000) })
    const { base } = await serve([], { folder })
    const agent = connections(8)
    const loading = start(['load', 'person', 'people.csv'], { folder })
    let isOver = false
    void loading.exit.then(() => {
      isOver = true
    })
    const statuses = new Map<string, number>()
    const client = async (index: number) => {
      for (let turn = 0; !isOver; turn++) {
        const isWrite = index % 2 === 0
        const { status } = await (isWrite
          ? sendRequest(`${base}/note`, { method: 'POST', body: { title: `${index} ${turn}` }, agent })
          : sendRequest(`${base}/person?pageSize=1`, { agent }))
        const key = `${isWrite ? 'POST' : 'GET'} ${status}`
        statuses.set(key, (statuses.get(key) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, index) => client(index)))
    expect(await loading.exit).toMatchObject({ code: 0, signal: null })
    expect(new Set(statuses.keys())).toEqual(new Set(['POST 201', 'GET 200']))
    expect(count(folder, 'note')).toBe(statuses.get('POST 201'))
    expect(count(folder, 'person')).toBe(15_000)
  })
})
