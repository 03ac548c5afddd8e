// Compression: smaller responses on request, the same content, and the Vary header.

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { inject } from '@nomen/testing/inject'
import { describe, expect, it } from 'vitest'
import { openOnce } from './service.ts'

const service = openOnce(60)
const large = '/user-detail?pageSize=60'
const send = (url: string, headers: Record<string, string> = {}) => inject(service.app, { url, headers })
const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

describe('compression', () => {
  it.each(['gzip', 'gzip, deflate, br', 'br;q=0, gzip', '*'])(
    'decision http: Accept-Encoding: %s returns the same content compressed',
    async (encodings) => {
      const plain = await send(large)
      const small = await send(large, { 'accept-encoding': encodings })
      const encoding = `${small.headers['content-encoding']}`
      expect(Object.keys(decoders)).toContain(encoding)
      expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
      expect(decoders[encoding]?.(small.rawPayload).toString()).toBe(plain.body)
      expect(small.headers['content-length'] ?? `${small.rawPayload.length}`).toBe(`${small.rawPayload.length}`)
    },
  )

  it.each([undefined, '', 'identity', 'gzip;q=0', 'nonsense'])(
    'decision http: Accept-Encoding: %s returns the content uncompressed',
    async (encodings) => {
      const { headers, body } = await send(large, encodings === undefined ? {} : { 'accept-encoding': encodings })
      expect(headers['content-encoding']).toBeUndefined()
      expect(JSON.parse(body).results.length).toBe(60)
    },
  )

  it('decision http: a response that may be compressed has Vary: Accept-Encoding', async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      expect(`${(await send(large, headers)).headers.vary}`.toLowerCase()).toContain('accept-encoding')
    }
  })

  it('decision http: a compressed record has its own ETag, which If-Match accepts', async () => {
    await service.patch('/user/60', { phone: '7'.repeat(5000) })
    const plain = await send('/user/60')
    const small = await send('/user/60', { 'accept-encoding': 'gzip' })
    expect(small.headers['content-encoding']).toBe('gzip')
    expect(small.headers.etag).not.toBe(plain.headers.etag)
    const changed = await service.patch('/user/60', { extension: '7' }, { 'if-match': `${small.headers.etag}` })
    expect(changed.status).toBe(200)
    const staleChange = await service.patch('/user/60', { extension: '8' }, { 'if-match': `${small.headers.etag}` })
    expect(staleChange.status).toBe(412)
  })

  it('decision http: 304 has the ETag of the compressed record', async () => {
    await service.patch('/user/59', { phone: '7'.repeat(5000) })
    for (const headers of [{}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'br' }]) {
      const { etag } = (await send('/user/59', headers)).headers
      const again = await send('/user/59', { ...headers, 'if-none-match': `${etag}` })
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    }
  })
})
