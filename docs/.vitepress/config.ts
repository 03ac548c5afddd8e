/** The documentation site: `npm run docs` builds it. The URL of the repository is `repository` in package.json. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { siteConfig } from './site-config.ts'
import { root } from './site-path.ts'

const { repository }: { repository?: { url: string } } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

export default siteConfig({ repository: repository?.url.replace(/^git\+|\.git$/g, '') })
