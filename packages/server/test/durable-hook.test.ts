// Durable hooks run at least once for each change, from the history.

import { api, change, identity, integer, noun, resource, text } from '@nomen/core'
import { after, type Change, type Service, service } from '@nomen/server'
import { describe, expect, it } from 'vitest'
import { persistentDatabase } from './persistent-database.ts'
import { openService } from './test-service.ts'

const note = noun(
  'note',
  { id: identity(), line: text(), copies: integer().default(1), hidden: text().nullable().managed() },
  { history: true },
)
const plain = api('notes', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(note, { complete: ['id', 'line', 'copies'] }), resource(change)],
})

interface Ran {
  readonly kind: string
  readonly line: string
  readonly previous?: string
  readonly requestId: string
}

/** A service with a durable hook that runs this function, and keeps the changes. */
function hooked(run: (changed: Ran) => unknown = () => undefined): { readonly ran: Ran[]; readonly notes: Service } {
  const ran: Ran[] = []
  const keep = async ({ kind, record, previous, requestId }: Change<{ line: string }>) => {
    const changed = { kind, line: record.line, requestId, ...(previous && { previous: previous.line }) }
    await run(changed)
    ran.push(changed)
  }
  return { ran, notes: service({ name: 'notes', apis: [plain], after: [after(note, keep, { durable: 'keeper' })] }) }
}

describe('a durable hook', () => {
  it('gets each change with the record before and after it', async () => {
    const { ran, notes } = hooked()
    const { send } = await openService(notes)
    const created = await send('POST', '/note', { line: 'a' })
    await send('PATCH', `/note/${created.body.id}`, { line: 'b' })
    await send('PATCH', `/note/${created.body.id}`, { copies: 2 })
    await send('PATCH', `/note/${created.body.id}`, { line: 'c' })
    await send('DELETE', `/note/${created.body.id}`)
    await expect.poll(() => ran.length).toBe(5)
    expect(ran.map(({ kind, line, previous }) => [kind, line, previous])).toEqual([
      ['create', 'a', undefined],
      ['update', 'b', 'a'],
      ['update', 'b', 'b'],
      ['update', 'c', 'b'],
      ['delete', 'c', undefined],
    ])
    expect(ran[0]?.requestId).toBe(created.headers['x-request-id'])
  })

  it('runs again after an error, before later changes of the record', async () => {
    let failures = 1
    const { ran, notes } = hooked(({ line }) => {
      if (line === 'a' && failures-- > 0) throw new Error('The mail server does not respond.')
    })
    const faults: string[] = []
    const { send } = await openService(notes, { onFault: (message) => faults.push(message) })
    const { body } = await send('POST', '/note', { line: 'a' })
    await send('PATCH', `/note/${body.id}`, { line: 'b' })
    await expect.poll(() => ran.map(({ line }) => line)).toEqual(['a', 'b'])
    expect(faults).toEqual([expect.stringMatching(/^The durable hook "keeper" failed for change \d+ of note\/\d+/)])
  })

  it('continues after a restart, with the changes that it has not seen', async () => {
    const database = await persistentDatabase()
    const broken = hooked(({ line }) => {
      if (line === 'b') throw new Error('down')
    })
    const first = await openService(broken.notes, { database, onFault: () => undefined })
    await first.send('POST', '/note', { line: 'a' })
    await expect.poll(() => broken.ran.map(({ line }) => line)).toEqual(['a'])
    await first.send('POST', '/note', { line: 'b' })
    await first.app.close()
    const working = hooked()
    const second = await openService(working.notes, { database })
    await second.send('POST', '/note', { line: 'c' })
    await expect.poll(() => working.ran.map(({ line }) => line).sort()).toEqual(['b', 'c'])
  })

  it('is refused without a history, with an invalid name, and twice', () => {
    const plainNote = noun('note', { id: identity() })
    expect(() => after(plainNote, () => {}, { durable: 'x' })).toThrow(/has no history/)
    expect(() => after(note, () => {}, { durable: 'Not A Name' })).toThrow(/kebab-case/)
    const one = after(note, () => {}, { durable: 'x' })
    expect(() => service({ name: 'notes', apis: [plain], after: [one, one] })).toThrow(/two durable hooks/)
  })
})
