// Compression: smaller answers for those who ask, the same content, and caches that can tell.

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { inject } from '@nomen/testing/inject'
import { describe, expect, it } from 'vitest'
import { openedOnce } from './service.ts'

const service = openedOnce(60)
const large = '/user-detail?pageSize=60'
const ask = (url: string, headers: Record<string, string> = {}) => inject(service.app, { url, headers })
const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

describe('compression', () => {
  it.each(['gzip', 'gzip, deflate, br', 'br;q=0, gzip', '*'])(
    'decision http: Accept-Encoding: %s gets the same content, smaller',
    async (accepted) => {
      const plain = await ask(large)
      const small = await ask(large, { 'accept-encoding': accepted })
      const encoding = `${small.headers['content-encoding']}`
      expect(Object.keys(decoders)).toContain(encoding)
      expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
      expect(decoders[encoding]?.(small.rawPayload).toString()).toBe(plain.body)
      expect(small.headers['content-length'] ?? `${small.rawPayload.length}`).toBe(`${small.rawPayload.length}`)
    },
  )

  it.each([undefined, '', 'identity', 'gzip;q=0', 'nonsense'])(
    'decision http: Accept-Encoding: %s gets it plain',
    async (accepted) => {
      const { headers, body } = await ask(large, accepted === undefined ? {} : { 'accept-encoding': accepted })
      expect(headers['content-encoding']).toBeUndefined()
      expect(JSON.parse(body).results.length).toBe(60)
    },
  )

  it('decision http: an answer that may be compressed varies by Accept-Encoding', async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      expect(`${(await ask(large, headers)).headers.vary}`.toLowerCase()).toContain('accept-encoding')
    }
  })

  it('decision http: a compressed record has a tag of its own, which If-Match takes as well', async () => {
    await service.patch('/user/60', { phone: '7'.repeat(5000) })
    const plain = await ask('/user/60')
    const small = await ask('/user/60', { 'accept-encoding': 'gzip' })
    expect(small.headers['content-encoding']).toBe('gzip')
    expect(small.headers.etag).not.toBe(plain.headers.etag)
    const changed = await service.patch('/user/60', { extension: '7' }, { 'if-match': `${small.headers.etag}` })
    expect(changed.status).toBe(200)
    const late = await service.patch('/user/60', { extension: '8' }, { 'if-match': `${small.headers.etag}` })
    expect(late.status).toBe(412)
  })

  it('decision http: 304 has the tag that the compressed record would have', async () => {
    await service.patch('/user/59', { phone: '7'.repeat(5000) })
    for (const headers of [{}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'br' }]) {
      const { etag } = (await ask('/user/59', headers)).headers
      const again = await ask('/user/59', { ...headers, 'if-none-match': `${etag}` })
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    }
  })
})
