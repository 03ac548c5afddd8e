// Plain requests are served straight from the connection, unusual ones by the framework: nobody can tell which.
import { describe, expect, it } from 'vitest'
import { directoryService } from '../src/index.ts'
import { openedOnce, type Service } from './service.ts'

const { send } = openedOnce()

type Request = [method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: string | undefined]

const json = { 'content-type': 'application/json' }
const headers = [
  ...[{}, json, { 'content-type': 'text/plain' }, { ...json, 'if-match': '"stale"' }],
  ...['json', '', 'application/json/more', 'a b', '; charset=utf-8'].map((type) => ({ 'content-type': type })),
]

/** Requests of all operations that change nothing: reads, and writes that are refused in many ways. */
function requests(): Request[] {
  const { operations } = directoryService({ users: 0 })
  return operations.flatMap(({ method, path }): Request[] => {
    const urls = ['1', '999999', 'x'].map((value) => path.replaceAll(/\{[^}]*\}/g, value))
    if (method === 'GET') {
      const asked = urls.flatMap((url) => [url, `${url}?pageSize=2&pageNumber=2`, `${url}?nothing=1`])
      return asked.flatMap((url): Request[] => [
        ['GET', url],
        ['HEAD', url],
        ['GET', url, '{}'],
        ['HEAD', url, '{}'],
      ])
    }
    // A query that is not taken, and a record that is not there, are found before or after the body in both ways.
    urls.push(`${urls[0]}?nothing=1`)
    const refused = ['', '{', '[]', '{"nothing":1}', `{"more":"${'x'.repeat(2 ** 20)}"}`]
    // What is there would be deleted, whatever the body.
    const given = method === 'DELETE' ? urls.slice(1) : urls
    return given.flatMap((url) => refused.map((body): Request => [method, url, body]))
  })
}

/** The same path with one character written in another way, which only the framework reads. */
function unusual(url: string): string {
  return `/%${url.charCodeAt(1).toString(16)}${url.slice(2)}`
}

async function answered(ask: Service['send'], [method, url, body]: Request, more: Record<string, string>) {
  const { status, headers, text } = await ask(method, url, body, { ...more, 'x-request-id': 'same' })
  const { date: _date, connection: _connection, ...rest } = headers
  return { status, headers: rest, text }
}

describe('a request', () => {
  const large = 'x'.repeat(2 ** 20 + 1)
  const all: Request[] = [...requests(), ['GET', '/user', large], ['GET', '/user/1', large], ['HEAD', '/user/1', large]]
  it.each([...new Set(all.map(([method]) => method))])('%s is answered alike in both ways', async (method) => {
    for (const request of all.filter(([given]) => given === method)) {
      const [, url, body] = request
      for (const more of body === undefined ? [{}, { 'x-transaction-id': 'é' }] : headers) {
        const usual = await answered(send, request, more)
        const other = await answered(send, [method, unusual(url), body], more)
        expect(other, `${method} ${url} ${body?.slice(0, 20)}`).toEqual(usual)
      }
    }
  })
})
