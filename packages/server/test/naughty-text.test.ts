// Texts that software often damages are stored, read, filtered, searched, sorted and recorded unchanged, on both databases.
import { change, identity, noun, resource, text } from '@nomen/core'
import { naughtyTexts, unstorableTexts } from '@nomen/testing/text/naughty-texts'
import { expect, it } from 'vitest'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

const note = noun('note', { id: identity(), title: text().unique(), remark: text().default('') }, { history: true })
const options = { by: ['title'], search: ['title'], children: [resource(change)] } as const
const notes = serviceOf([plainApi(resource(note, options), resource(change))])

/** Creates a record for each text, and returns their IDs by text. */
async function created(app: TestService): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const title of naughtyTexts) {
    const { status, body, text } = await app.send('POST', '/note', { title })
    expect([status, body.title], text).toEqual([201, title])
    ids.set(title, body.id)
  }
  return ids
}

const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const encoded = (title: string) => [encodeURIComponent(title), new URLSearchParams({ t: title }).toString().slice(2)]

it('each string is different', () => {
  expect(new Set(naughtyTexts).size).toBe(naughtyTexts.length)
  expect(naughtyTexts.length).toBeGreaterThan(250)
})

it('each string is read, filtered, searched, looked up and sorted as it was sent', async () => {
  const app = await openService(notes)
  const ids = await created(app)
  for (const [title, id] of ids) {
    expect((await app.get(`/note/${id}`)).body.title).toBe(title)
    // The letters of a filter as percent codes, and with + for a space.
    for (const value of encoded(title)) expect(await app.column('title', `/note?title=${value}`)).toEqual([title])
    const [value] = encoded(title)
    if (title.length <= 200) expect(await app.column('id', `/note?search=${value}`), title).toContain(id)
    // An empty segment and the segments "." and ".." are not the name of a record in a path.
    if (!['', '.', '..'].includes(title)) expect((await app.get(`/note/by-title/${value}`)).body.id).toBe(id)
  }
  const sorted = naughtyTexts.toSorted(byCodePoint)
  expect(await app.column('title', '/note?sort=title')).toEqual(sorted)
  expect(await app.column('title', '/note?sort=-title')).toEqual(sorted.toReversed())
})

it('each string is changed with If-Match, and the history has it before and after a change', async () => {
  const app = await openService(notes)
  const { body, headers } = await app.send('POST', '/note', { title: 'first' })
  let etag = `${headers.etag}`
  for (const remark of naughtyTexts) {
    const changed = await app.send('PATCH', `/note/${body.id}`, { remark }, { 'if-match': etag })
    expect([changed.status, changed.body.remark], changed.text).toEqual([200, remark])
    // The ETag stays if the text does.
    expect((await app.get(`/note/${body.id}`, { 'if-none-match': `${changed.headers.etag}` })).status).toBe(304)
    etag = `${changed.headers.etag}`
  }
  const { body: page } = await app.get(`/note/${body.id}/change?sort=id&kind=CHANGED&pageSize=1000`)
  const values = (name: 'before' | 'after') =>
    page.results.map((entry: Record<string, string>) => JSON.parse(entry[name] ?? '{}').remark)
  // The first text is empty, as the default is, so that it changes nothing.
  expect(values('after')).toEqual(naughtyTexts.slice(1))
  expect(values('before')).toEqual(naughtyTexts.slice(0, -1))
})

it('strings that are not Unicode are rejected in a body, and change nothing', async () => {
  const app = await openService(notes)
  for (const title of unstorableTexts) {
    const { body } = await app.send('POST', '/note', `{"title":${title}}`)
    expect([title, body.status, body.code]).toEqual([title, 400, 'invalid-body'])
  }
  expect((await app.get('/note')).body.pageInfo.numberOfRecords).toBe(0)
})
