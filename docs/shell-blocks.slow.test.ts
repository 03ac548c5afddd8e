// The commands on these pages run as a reader enters them, in a folder with the files that they need.

import { follow } from '@nomen/testing/markdown/follow'
import { expect, it, onTestFinished } from 'vitest'
import { isOtherProgram, shellPages } from './snippets/shell-pages.ts'

it.each(Object.keys(shellPages))('docs/%s.md has commands that run', async (page) => {
  const cleanups: (() => void)[] = []
  onTestFinished(() => {
    for (const cleanup of cleanups) cleanup()
  })
  const options = await shellPages[page]?.((cleanup) => cleanups.push(cleanup))
  await using followed = await follow(`docs/${page}.md`, {
    installed: ['@nomen/cli', '@nomen/core', '@nomen/server', '@nomen/directory'],
    ...options,
    isTestedElsewhere: (block) => block.language !== 'sh' || isOtherProgram(block.code),
  })
  expect(followed.folder).not.toBe('')
})
