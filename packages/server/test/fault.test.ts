// Errors in code of the service and in the listener for errors: the service continues whatever they throw.
import { api, identity, noun, ProblemError, problem, resource, text } from '@nomen/core'
import { rule, type Settings, service } from '@nomen/server'
import { applicationLog } from '@nomen/server/internal'
import { describe, expect, it } from 'vitest'
import { openService } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })

/** An error as clients of other services throw them: with all that belongs to it. */
function withRequest(): Error {
  const request: { socket?: object } = {}
  request.socket = { request }
  return new Error('The rate cannot be read.', { cause: request })
}

const broken = problem('rule-broken', { detail: 'The rate cannot be read.' })
const faults: { readonly [title: string]: () => Error } = {
  wrong: withRequest,
  'a status that no answer has': () => new ProblemError({ ...broken, status: 42 }),
  'a status that is not its own': () => new ProblemError({ ...broken, status: 204 }),
  'a code that nobody knows': () => new ProblemError({ ...broken, code: 'teapot' as never }),
  'a value that JSON cannot represent': () => new ProblemError({ ...broken, about: withRequest().cause } as never),
}

const rules = [
  rule(note, ['title'], ({ title }) => {
    if (title in faults) throw faults[title]?.()
    return undefined
  }),
]

async function openNotes(settings: Partial<Settings>) {
  const events: string[] = []
  const write = (line: string) => events.push(line)
  const definition = service({ name: 'notes', apis: [notes], rules })
  const log = applicationLog({ isPlain: false, stream: { write } })
  const { send } = await openService(definition, { ...settings, log })
  const post = async (title: string) => (await send('POST', '/note', { title })).status
  return { post, events }
}

describe('a fault', () => {
  it('with a circular cause gives 500 and is logged, and the next request is served', async () => {
    const { post, events } = await openNotes({})
    expect([await post('wrong'), await post('right')]).toEqual([500, 201])
    expect(events).toEqual([expect.stringContaining('The rate cannot be read.')])
  })

  it.each(Object.keys(faults).slice(1))('that is a problem with %s gives 500 and is logged', async (title) => {
    const { post, events } = await openNotes({})
    expect([await post(title), await post('right')]).toEqual([500, 201])
    expect(events).toEqual([expect.stringContaining('The rate cannot be read.')])
  })

  it.each<[string, NonNullable<Settings['onFault']>]>([
    [
      'throws',
      () => {
        throw new Error('No mail today.')
      },
    ],
    ['rejects', () => Promise.reject(new Error('No mail today.'))],
  ])('is logged if the listener %s, and so is the error of the listener', async (_, onFault) => {
    const { post, events } = await openNotes({ onFault })
    expect([await post('wrong'), await post('right')]).toEqual([500, 201])
    expect(events).toEqual([
      expect.stringContaining('The rate cannot be read.'),
      expect.stringContaining('No mail today.'),
    ])
  })
})
