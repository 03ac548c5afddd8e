/**
 * Sends requests to the directory in this process, and some over the HTTP servers of the runtime. Prints each request and its
 * response as a line of JSON. `runtime.slow.test.ts` runs it on Node, Bun and Deno.
 */
import { gunzipSync } from 'node:zlib'
import { directoryService } from '@nomen/directory'
import { open } from '@nomen/server'
import { fetchHandler } from '@nomen/server/fetch'
import { headersFor, isFetchable, requests } from '../../apps/directory/test/adapter-request.ts'

const settings = { database: 'sqlite::memory:', waitLimitMs: 0 }
const service = directoryService({ users: 20 })

function print(line: object): void {
  console.log(JSON.stringify(line).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'))
}

async function responseOf(response: Response) {
  const headers = Object.fromEntries(response.headers)
  for (const name of ['date', 'connection', 'keep-alive', 'etag', 'content-length', 'transfer-encoding'])
    delete headers[name]
  const bytes = Buffer.from(await response.arrayBuffer())
  // A response to HEAD has no body to decompress.
  const isCompressed = headers['content-encoding'] === 'gzip' && bytes.length > 0
  const text = `${isCompressed ? gunzipSync(bytes) : bytes}`
  // Each runtime has its own words for malformed JSON.
  return { status: response.status, headers, body: text.replace(/(is not valid JSON:) .*?",/, '$1 …",') }
}

const app = await open(service, settings)
for (const request of requests.filter(isFetchable)) {
  const [method, url, body] = request
  for (const extraHeaders of headersFor(request)) {
    const headers = { ...extraHeaders, 'x-request-id': 'same', ...(body && { 'content-length': `${body.length}` }) }
    // For a string, Request would set the Content-Type.
    const options = { method, headers, ...(body && { body: Buffer.from(body) }) }
    const response = await responseOf(await app.fetch(`http://localhost${url}`, options))
    print({ method, url, body: body?.slice(0, 20), headers: extraHeaders, response })
  }
}
const { fetch: fetchAsAda } = app.as({ user: 'ada', scopes: ['department:read'] })
print({
  asAda: [(await fetchAsAda('http://localhost/department')).status, (await fetchAsAda('http://localhost/user')).status],
})
const listening = await app.listen({ port: 0 })
print({
  overNodeHttp: (await responseOf(await fetch(`${listening}/user/1`, { headers: { 'x-request-id': 'same' } }))).body,
})
await app.close()

/** The parts of the global objects of Bun and Deno that are used here. */
interface Runtime {
  readonly Bun?: { serve(options: object): { readonly port: number; stop(): Promise<void> } }
  readonly Deno?: {
    serve(options: object, handler: unknown): { readonly addr: { readonly port: number }; shutdown(): Promise<void> }
  }
}

const { Bun, Deno } = globalThis as Runtime
const handler = fetchHandler(service, settings)
let port = 0
let stop = async () => {}
if (Bun) {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: handler })
  port = server.port
  stop = () => server.stop()
} else if (Deno) {
  const server = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: () => {} }, handler)
  port = server.addr.port
  stop = () => server.shutdown()
}
const served =
  port === 0 ? await handler(new Request('http://127.0.0.1/user/1')) : await fetch(`http://127.0.0.1:${port}/user/1`)
print({ served: [served.status, await served.text()] })
await stop()
await handler.close()
