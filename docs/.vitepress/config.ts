/**
 * The documentation site: `npm run docs` builds it. The URL of the repository is `repository` in package.json, and the URL of the site
 * is `homepage`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { siteConfig } from './site-config.ts'
import { root } from './site-path.ts'

interface Manifest {
  readonly repository?: { readonly url: string }
  readonly homepage?: string
}

const { repository, homepage }: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

export default siteConfig({
  repository: repository?.url.replace(/^git\+|\.git$/g, ''),
  ...(homepage !== undefined && { base: new URL('.', homepage).pathname }),
})
