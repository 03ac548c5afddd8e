/** Builds the documentation site, or a part of it, and serves it. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../.vitepress/site-path.ts'

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** The URL of a repository, to see edit links. */
export const repository = 'https://code.example/nomen'

export interface BuiltSite extends Disposable {
  /** Ends without a slash. */
  readonly url: string
  readonly folder: string
}

/** The site is below a path, as on many hosts. Without `pages`, all are built. */
export async function buildSite(pages?: readonly string[]): Promise<BuiltSite> {
  // Inside the checkout, so that packages are found.
  mkdirSync(join(root, 'dist'), { recursive: true })
  const base = mkdtempSync(join(root, 'dist/site-'))
  const folder = join(base, 'built')
  const remove = () => rmSync(base, { recursive: true, force: true })
  try {
    writeSource(base, { repository, base: '/docs/', outDir: folder, ...(pages && { pages }) })
    await promisify(execFile)(process.execPath, [join(root, 'node_modules/vitepress/bin/vitepress.js'), 'build', base])
  } catch (error) {
    remove()
    throw error
  }
  const server = createServer(({ url = '/' }, response) => {
    const { path, status } = fileFor(folder, url.replace(/[?#].*/, ''))
    response.writeHead(status, { 'content-type': types[extname(path)] ?? 'text/plain; charset=utf-8' })
    response.end(readFileSync(path))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
    remove()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`, folder, [Symbol.dispose]: close }
}

/** A folder with the configuration and the theme of the site. */
function writeSource(base: string, options: object): void {
  const own = join(root, 'docs/.vitepress')
  mkdirSync(join(base, '.vitepress/theme'), { recursive: true })
  const imported = `import { siteConfig } from '${own}/site-config.ts'`
  writeFileSync(
    join(base, '.vitepress/config.ts'),
    `${imported}\nexport default siteConfig(${JSON.stringify(options)})\n`,
  )
  writeFileSync(join(base, '.vitepress/theme/index.ts'), `export { default } from '${own}/theme/index.ts'\n`)
}

function fileFor(folder: string, url: string): { readonly path: string; readonly status: number } {
  const path = join(
    folder,
    decodeURI(url)
      .replace(/^\/docs/, '')
      .replace(/\/$/, '/index.html'),
  )
  return existsSync(path) && statSync(path).isFile()
    ? { path, status: 200 }
    : { path: join(folder, '404.html'), status: 404 }
}
