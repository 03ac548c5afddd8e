// Every example of a request in the two documents (but those of webhooks) succeeds at a real service, in the order in which a client would send them.
import { openapi } from '@nomen/core/openapi'
import { service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { access, directory } from '../src/apis.ts'
import { enabledOrValue, supervisedByAnother } from '../src/rules.ts'
import { type App, openFresh } from './service.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface Example {
  readonly kind: string
  readonly noun: string
  readonly method: Method
  readonly path: string
  readonly url: string
  /** The example of each media type; a single undefined if there is no body. */
  readonly bodies: readonly (readonly [type: string, example: unknown] | undefined)[]
}

interface OperationObject {
  readonly tags: readonly [string]
  readonly parameters: readonly { readonly in?: string; readonly name?: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: { readonly [type: string]: { readonly example?: unknown } } }
  readonly 'x-nomen-kind': string
}

/** Requests of webhooks are sent by their own tests: the examples have the URL of another host. */
const isOfWebhook = ({ path }: Example) => path.startsWith('/webhook')

const examples = [directory, access]
  .flatMap((api) =>
    Object.entries(openapi(api).paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, object]) => exampleOf(method, path, object as unknown as OperationObject)),
    ),
  )
  .filter((example) => !isOfWebhook(example))

function exampleOf(method: string, path: string, object: OperationObject): Example {
  const { tags, parameters, requestBody, 'x-nomen-kind': kind } = object
  const url = path.replaceAll(/\{([^}]*)\}/g, (_, name) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name)
    expect([path, name, parameter?.example]).not.toContain(undefined)
    return encodeURIComponent(`${parameter?.example}`)
  })
  const contents = Object.entries(requestBody?.content ?? {})
  const bodies = contents.map(([type, { example }]) => [type, example] as const)
  return {
    kind,
    noun: tags[0],
    method: method.toUpperCase() as Method,
    path,
    url,
    bodies: requestBody ? bodies : [undefined],
  }
}

/** A record comes after the records that it refers to. */
const nouns = ['department', 'user', 'preference', 'application', 'role', 'action', 'saved-view']

const ofKind = (...kinds: readonly string[]) => examples.filter(({ kind }) => kinds.includes(kind))
const ofNoun = (kind: string, noun: string) => ofKind(kind).filter((example) => example.noun === noun)

const state: { app?: App } = {}
const sent = new Set<Example>()

beforeAll(async () => {
  const apis = [directory, access]
  state.app = await openFresh(service({ name: 'directory', apis, rules: [supervisedByAnother, enabledOrValue] }))
})
afterAll(() => state.app?.close())

async function send(all: readonly Example[]): Promise<void> {
  for (const example of all) {
    sent.add(example)
    const { method, url, bodies } = example
    for (const body of bodies) {
      const response = await inject(state.app as App, {
        method,
        url,
        ...(body && { headers: { 'content-type': body[0] }, payload: JSON.stringify(body[1]) }),
      })
      expect([method, url, body, response.statusCode, response.statusCode < 300 ? '' : response.body]).toEqual([
        ...[method, url, body, response.statusCode, ''],
      ])
    }
  }
}

it('examples of new records and links', async () => {
  await send(nouns.flatMap((noun) => ofNoun('create', noun)))
  await send(ofKind('link'))
})

/** The change with the ID of the example is the first of all changes, and not one of each record. */
const isChangeOfRecord = ({ noun, kind, path }: Example) =>
  noun === 'change' && kind === 'read' && !/^(\/v1)?\/change\//.test(path)

it('examples of reads', async () => {
  await send(ofKind('list', 'read', 'lookup').filter((example) => !isChangeOfRecord(example)))
})

it('examples of changed records', async () => {
  await send(ofKind('replace', 'update'))
  await send(ofKind('lookup'))
})

it('examples of deleted and restored records', async () => {
  await send(ofKind('unlink'))
  for (const noun of nouns.toReversed()) {
    const deletion = ofNoun('delete', noun)
    await send(deletion)
    if (ofNoun('restore', noun).length > 0) await send([...ofNoun('restore', noun), ...deletion])
  }
})

it('all examples but those of a change of one record were sent', () => {
  const isMissing = (example: Example) => !sent.has(example) && !isChangeOfRecord(example)
  expect(examples.filter(isMissing).map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

it('no example is the word "text"', () => {
  const bodies = examples.flatMap((example) => example.bodies)
  expect(bodies.filter((body) => JSON.stringify(body?.[1] ?? null).includes('"text"'))).toEqual([])
})
