/** `npx vite` for a page: links to the packages of this checkout lead out of the page's folder, where Vite serves nothing. */
import { createServer } from 'vite'

const server = await createServer({
  server: { port: Number(process.env.VITE_PORT), strictPort: true, fs: { strict: false } },
})
await server.listen()
server.printUrls()
