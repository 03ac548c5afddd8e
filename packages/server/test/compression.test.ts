// Compression by Accept-Encoding, and ETags that distinguish the encodings.

import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { identity, noun, resource, text } from '@nomen/core'
import { inject } from '@nomen/testing/inject'
import { describe, expect, it } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

/** A service with a note that is worth compressing, and one that is not. */
async function openNotes() {
  const service = await openService(notes)
  await service.send('POST', '/note', { title: 'Zoë '.repeat(1000) })
  await service.send('POST', '/note', { title: 'short' })
  return service
}

describe('Accept-Encoding', () => {
  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=0.8, br;q=0.5', 'gzip'],
    ['br;q=0.5, gzip; q=0.501', 'gzip'],
    ['br;q=1.0,gzip;q=1.0', 'br'],
    ['gzip;q=0.001', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0.5, gzip', 'gzip'],
    ['identity;q=0.5, gzip;q=0.8', 'gzip'],
    ['identity, gzip', 'gzip'],
  ])('%s gets %s', async (accepted, encoding) => {
    const { app } = await openNotes()
    const plain = await inject(app, '/note/1')
    const encoded = await inject(app, { url: '/note/1', headers: { 'accept-encoding': accepted } })
    expect(encoded.headers['content-encoding']).toBe(encoding)
    const decode = encoding === 'br' ? brotliDecompressSync : gunzipSync
    expect(decode(encoded.rawPayload).toString()).toBe(plain.body)
    expect(encoded.headers['content-length']).toBe(`${encoded.rawPayload.length}`)
    expect(encoded.rawPayload.length).toBeLessThan(plain.rawPayload.length)
    expect(encoded.headers['content-type']).toBe(plain.headers['content-type'])
  })

  it.each([
    '',
    'identity',
    'deflate',
    'gzip;q=0',
    'gzip;q=0.000, br;q=0',
    '*;q=0',
    'br;q=0, gzip;q=0, *',
    'x-gzip',
    'identity;q=1, gzip;q=0.5',
    'identity, *;q=0.1',
  ])('%s gets an uncompressed response', async (accepted) => {
    const { app } = await openNotes()
    const response = await inject(app, { url: '/note/1', headers: { 'accept-encoding': accepted } })
    expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, undefined])
    expect(response.json().id).toBe(1)
  })
})

describe('every response', () => {
  it('varies by Accept-Encoding, compressed or not, whatever its status', async () => {
    const { send } = await openNotes()
    const requests = [
      ['GET', '/note'],
      ['GET', '/note/1'],
      ['GET', '/note/2'],
      ['HEAD', '/note/1'],
      ['GET', '/note/9'],
      ['GET', '/nothing'],
      ['GET', '/note?nothing=1'],
      ['DELETE', '/note'],
      ['DELETE', '/note/2'],
    ] as const
    for (const [method, url] of requests) {
      for (const accepted of ['gzip', 'identity']) {
        const { headers } = await send(method, url, undefined, { 'accept-encoding': accepted })
        expect(`${headers.vary}`.toLowerCase(), `${method} ${url}`).toContain('accept-encoding')
      }
    }
    const { headers } = await send('GET', '/note/1', undefined, { 'if-none-match': '*' })
    expect(headers.vary).toBe('accept-encoding')
  })

  it('to HEAD has the headers of the response to GET', async () => {
    const { send } = await openNotes()
    for (const url of ['/note', '/note/1', '/note/2', '/note/9']) {
      for (const accepted of ['br', 'gzip', 'identity']) {
        const headers = { 'accept-encoding': accepted, 'x-request-id': 'same' }
        const whole = await send('GET', url, undefined, headers)
        const bare = await send('HEAD', url, undefined, headers)
        const { date: _date, ...expected } = whole.headers
        const { date: _other, ...otherHeaders } = bare.headers
        expect([bare.status, bare.text, otherHeaders], `${url} ${accepted}`).toEqual([whole.status, '', expected])
      }
    }
  })

  it('that is short is not compressed', async () => {
    const { get } = await openNotes()
    expect((await get('/note/2', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined()
  })
})

describe('the ETag', () => {
  const encodings = ['br', 'gzip', 'identity']

  async function tagsOf(
    get: (
      url: string,
      headers?: Record<string, string>,
    ) => Promise<{ headers: Readonly<Record<string, string | undefined>> }>,
  ) {
    const tags = await Promise.all(encodings.map((encoding) => get('/note/1', { 'accept-encoding': encoding })))
    return tags.map(({ headers }) => `${headers.etag}`)
  }

  it('is strong and differs by encoding', async () => {
    const { get } = await openNotes()
    const tags = await tagsOf(get)
    for (const tag of tags) expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/)
    expect(new Set(tags).size).toBe(3)
  })

  it('of each encoding matches If-Match, until the record changes', async () => {
    for (const at of [0, 1, 2]) {
      const { send, get } = await openNotes()
      const tag = `${(await tagsOf(get))[at]}`
      const changed = await send('PATCH', '/note/1', { title: 'changed' }, { 'if-match': tag })
      expect([changed.status, changed.body.title]).toEqual([200, 'changed'])
      expect((await send('PATCH', '/note/1', { title: 'again' }, { 'if-match': tag })).status).toBe(412)
      expect((await send('DELETE', '/note/1', undefined, { 'if-match': tag })).status).toBe(412)
    }
  })

  it('of each encoding matches If-None-Match, and 304 has the ETag that 200 would have', async () => {
    const { get } = await openNotes()
    const tags = await tagsOf(get)
    for (const [at, encoding] of encodings.entries()) {
      for (const tag of tags) {
        const response = await get('/note/1', { 'accept-encoding': encoding, 'if-none-match': tag })
        expect([response.status, response.text, response.headers.etag]).toEqual([304, '', tags[at]])
      }
    }
  })

  it('of another record with the same ending does not match', async () => {
    const { send, get } = await openNotes()
    const tag = `${(await get('/note/2')).headers.etag}`
    for (const wrong of [tag.replace(/"$/, '-zstd"'), tag.replace(/"$/, '-gzip-gzip"'), tag.toUpperCase()])
      expect((await send('PATCH', '/note/2', { title: 'x' }, { 'if-match': wrong })).status).toBe(412)
  })
})
