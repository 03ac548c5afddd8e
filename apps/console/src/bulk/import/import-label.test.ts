// Imports whose rows reference records by their labels, also records that other rows of the file create.
import { api, identity, noun, reference, resource, text } from '@nomen/core'
import { open, service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { expect, it, onTestFinished } from 'vitest'
import { HttpClient, type Request } from '../../http/http-client.ts'
import { ProblemError, problemFrom } from '../../model/service/problem.ts'
import { serviceOf } from '../../model/service/service.ts'
import { Import } from './import.ts'
import { ReferenceLabels } from './reference-labels.ts'

const person = noun('person', {
  id: identity(),
  name: text(),
  mentor: reference((): typeof person => person).nullable(),
})

class WatchedClient extends HttpClient {
  before: (request: Request) => void = () => {}
  after: (request: Request) => void = () => {}

  override async send(request: Request) {
    this.before(request)
    const response = await super.send(request)
    this.after(request)
    return response
  }
}

async function startPersons(records: readonly { readonly name: string; readonly mentor?: string }[]) {
  const people = api('people', { versioning: 'per-noun', writes: 'flat', resources: [resource(person)] })
  const app = await open(service({ name: 'people', apis: [people] }), { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  const base = await app.listen({ port: 0 })
  const document = (await inject(app, { url: '/openapi.json' })).json()
  const described = serviceOf(undefined, [{ document, base }])
  const [writeCollection] = described.collections
  if (!writeCollection) throw new Error('There are persons.')
  const http = new WatchedClient()
  const labels = new ReferenceLabels(http, described, writeCollection)
  const rows = records.map((record, index) => ({ line: index + 1, record, fault: undefined }))
  const work = new Import(http, { writeCollection, path: '/person', rows, key: 'k', labels })
  const persons = async () => {
    const { results } = (await inject(app, { url: '/person' })).json()
    return Object.fromEntries(results.map((one: { name: string; mentor: unknown }) => [one.name, one.mentor]))
  }
  return { http, labels, work, persons }
}

it('reads the list of labels again after a failure', async () => {
  const { http, work, persons } = await startPersons([{ name: 'Ada' }, { name: 'Bob', mentor: 'Ada' }])
  let failures = 0
  http.before = ({ method }) => {
    if (method === 'GET' && failures++ === 0) throw new ProblemError(problemFrom(503, '', null))
  }
  await expect(work.run()).rejects.toThrow()
  await work.run()
  expect([work.isDone, work.progress().refused]).toEqual([true, []])
  expect(await persons()).toEqual({ Ada: null, Bob: 1 })
})

it('finds a record that was created before the import was stopped', async () => {
  const { http, labels, work, persons } = await startPersons([{ name: 'Bob', mentor: 'Ada' }, { name: 'Ada' }])
  // The list is known before Ada is created.
  await labels.resolve({ mentor: 'Ada' })
  http.after = () => work.stop()
  await work.run()
  expect([work.isDone, work.progress().created]).toEqual([false, 1])
  http.after = () => {}
  await work.run()
  expect([work.isDone, work.progress().refused]).toEqual([true, []])
  expect(await persons()).toEqual({ Ada: null, Bob: 1 })
})
