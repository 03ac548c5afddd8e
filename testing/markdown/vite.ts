/** `npx vite` for a page: links to the packages of this checkout lead out of the page's folder, where Vite serves nothing. */
import { parseArgs } from 'node:util'
import { createServer } from 'vite'

const { values } = parseArgs({ options: { port: { type: 'string', default: '5173' } } })
const server = await createServer({
  server: { host: '127.0.0.1', port: Number(values.port), strictPort: true, fs: { strict: false } },
})
await server.listen()
server.printUrls()
