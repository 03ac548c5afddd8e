/** The pages whose blocks are checked one by one. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Block, blocksOf } from '@nomen/testing/markdown/block'

const root = join(import.meta.dirname, '../..')

/** Tests that follow whole pages, or read their files, name them like this. */
const tests = globSync(['docs/**/*.test.ts', 'packages/cli/test/{extending,readme*}.test.ts'], { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n')

/** Whether a test follows the page as its reader would do it. */
export const isFollowed = (page: string): boolean =>
  tests.includes(`follow('${page}'`) || tests.includes(`\n  '${page.replace(/^docs\/|\.md$/g, '')}',\n`)

/** Pages whose blocks are generated from code, which has its own tests. */
const isGenerated = (page: string): boolean => page.startsWith('docs/api/') || page === 'docs/lint-rules.md'

export interface PageBlocks {
  readonly page: string
  readonly blocks: readonly Block[]
}

export function pagesWithBlocks(): readonly PageBlocks[] {
  const patterns = ['docs/*.md', 'docs/decisions/*.md', 'packages/*/README.md', 'bench/README.md', '*.md']
  return globSync(patterns, { cwd: root })
    .filter((page) => !isFollowed(page) && !isGenerated(page))
    .map((page) => ({ page, blocks: blocksOf(readFileSync(join(root, page), 'utf8')) }))
    .filter(({ blocks }) => blocks.length > 0)
}
