import { expect, it } from 'vitest'
import { connectStreams } from './connection.ts'

it('an error response to an event stream that is cut off is reported with its status', async () => {
  const fetch = async () => {
    const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
    const body = new ReadableStream({ pull: () => Promise.reject(new TypeError('terminated', { cause })) })
    return new Response(body, { status: 503 })
  }
  const open = connectStreams({ baseUrl: 'https://example.com', fetch })
  const attempt = await open('/change', {}, undefined, new AbortController().signal)
  expect(attempt).toMatchObject({
    error: { message: 'The response 503 to GET https://example.com/change was cut off: other side closed' },
  })
})
