/** `npx vite` for a page: packages are links out of the page's folder, which Vite would not serve. */
import { createServer } from 'vite'

const server = await createServer({
  server: { port: Number(process.env.VITE_PORT), strictPort: true, fs: { strict: false } },
})
await server.listen()
server.printUrls()
