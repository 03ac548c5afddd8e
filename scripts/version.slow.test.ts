import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { setVersion } from './version.ts'

const root = join(import.meta.dirname, '..')

/** A repository with two packages, the settings of this repository, and one changeset. */
function repository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-version-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const write = (path: string, content: string | object) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  write('package.json', { name: 'repository', version: '0.1.0', private: true, workspaces: ['packages/*'] })
  write('packages/core/package.json', { name: '@nomen/core', version: '0.1.0' })
  write('packages/create-nomen/package.json', {
    name: 'create-nomen',
    version: '0.1.0',
    dependencies: { '@nomen/core': '0.1.0' },
  })
  write('CHANGELOG.md', '# Changelog\n\n## 0.1.0\n')
  write('.changeset/config.json', readFileSync(join(root, '.changeset/config.json'), 'utf8'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: folder })
  execFileSync('npm', ['install', '--package-lock-only', '--offline'], { cwd: folder })
  git('init', '--quiet', '--initial-branch', 'main')
  git('add', '.')
  git('commit', '--quiet', '--message', 'First')
  return folder
}

it('a changeset of one package raises the version of all of them, and is a line of the changelog', () => {
  const folder = repository()
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  expect(setVersion(folder)).toBeUndefined()

  writeFileSync(join(folder, '.changeset/quick-dog.md'), '---\n"@nomen/core": minor\n---\n\nA new kind of field.\n')
  expect(setVersion(folder, '2027-01-31')).toBe('0.2.0')

  const section = '## 0.2.0 (2027-01-31)\n\n### Added and changed\n\n- A new kind of field.\n'
  expect(read('CHANGELOG.md')).toBe(`# Changelog\n\n${section}\n## 0.1.0\n`)
  for (const path of ['.', 'packages/core', 'packages/create-nomen'])
    expect(JSON.parse(read(`${path}/package.json`)).version, path).toBe('0.2.0')
  expect(JSON.parse(read('packages/create-nomen/package.json')).dependencies).toEqual({ '@nomen/core': '0.2.0' })
  expect(JSON.parse(read('package-lock.json')).packages['packages/core'].version).toBe('0.2.0')
  expect(setVersion(folder)).toBeUndefined()
})
