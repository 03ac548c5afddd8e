// Pages far from the start of a list are cached by state: a transaction sees its own writes, and nobody sees them after a rollback.
import { api, identity, noun, operation, resource, text } from '@nomen/core'
import { handle, service } from '@nomen/server'
import { expect, it } from 'vitest'
import { openService } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const trial = operation({ method: 'POST', on: 'collection', response: { pages: text() } })
const notebook = api('notebook', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(note, { list: ['id'], operations: { trial } })],
})

const far = { pageSize: 10, pageNumber: 120 }

it('sees the state of the transaction, and afterwards that of the database', async () => {
  let isRolledBack = true
  let pages: (readonly number[])[] = []
  const tried = handle(note, trial, async ({ transaction }) => {
    pages = []
    await transaction(
      async (call) => {
        const notes = call(notebook).note
        const readFar = async () => pages.push((await notes.list(far)).results.map(({ id }) => id))
        await readFar()
        await notes.delete(1)
        await readFar()
        await notes.delete(2)
        await readFar()
        if (isRolledBack) throw new Error('Roll back.')
      },
      { limit: 60_000 },
    )
    return { pages: '' }
  })
  const app = await openService(
    service({
      name: 'notebook',
      apis: [notebook],
      handlers: [tried],
      sample: () => [{ noun: 'note', rows: Array.from({ length: 1500 }, (_, index) => ({ title: `${index}` })) }],
    }),
    { onFault: () => {} },
  )
  const idsFrom = (first: number) => Array.from({ length: 10 }, (_, index) => first + index)
  const readFar = async () => {
    const { body } = await app.get(`/note?pageSize=${far.pageSize}&pageNumber=${far.pageNumber}`)
    return body.results.map(({ id }: { readonly id: number }) => id)
  }
  for (const [rollsBack, after] of [
    [true, 1191],
    [false, 1193],
  ] as const) {
    isRolledBack = rollsBack
    expect(await readFar()).toEqual(idsFrom(1191))
    await app.send('POST', '/note/trial')
    expect(pages).toEqual([idsFrom(1191), idsFrom(1192), idsFrom(1193)])
    expect(await readFar()).toEqual(idsFrom(after))
  }
})
