/** Stored pictures of views, and their comparison with a new one. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'

const stored = fileURLToPath(new URL('./picture/', import.meta.url))
const different = fileURLToPath(new URL('../../../../dist/pictures/', import.meta.url))
const versionFile = `${stored}chromium.txt`

/** The maximum size of a stored picture. */
const maxBytes = 60 * 1024

/** Each channel of a color has this many values, so that a file is small. */
const levels = 32

/** The largest share of different pixels with the same major version of Chromium. Pixels of anti-aliased edges do not count. */
const sameVersionShare = 0.0005

/** Another version can draw controls and texts differently, so that only large differences count. */
const otherVersionShare = 0.05

/** Stores pictures (true) instead of comparing them: `npm run console:look`. */
const isUpdate = process.env.LOOK === 'update'

/** Stores a screenshot, or returns how it differs from the stored picture; undefined if it does not. */
export function compareLook(name: string, screenshot: Buffer, version: string): string | undefined {
  const actual = reduced(PNG.sync.read(screenshot))
  if (isUpdate) return store(name, actual, version)
  const path = `${stored}${name}.png`
  if (!existsSync(path)) return `There is no stored picture of ${name}. Run \`npm run console:look\`.`
  const expected = PNG.sync.read(readFileSync(path))
  const { width, height } = expected
  if (width !== actual.width || height !== actual.height)
    return `${name} is ${actual.width} × ${actual.height} pixels instead of ${width} × ${height}.`
  const difference = new PNG({ width, height })
  const count = pixelmatch(expected.data, actual.data, difference.data, width, height, { threshold: 0.05 })
  const origin = readFileSync(versionFile, 'utf8').trim()
  const limit = majorOf(origin) === majorOf(version) ? sameVersionShare : otherVersionShare
  if (count <= limit * width * height) return undefined
  mkdirSync(different, { recursive: true })
  writeFileSync(`${different}${name}.png`, PNG.sync.write(actual))
  writeFileSync(`${different}${name}-difference.png`, PNG.sync.write(difference))
  return [
    `${name}: ${count} pixels differ, more than ${limit * 100} %. See dist/pictures/${name}-difference.png.`,
    `Chromium ${origin} made the stored picture, this one is from Chromium ${version}.`,
    'If the view should look like this, run `npm run console:look`.',
  ].join(' ')
}

function store(name: string, picture: PNG, version: string): undefined {
  mkdirSync(stored, { recursive: true })
  const file = PNG.sync.write(picture, { colorType: 2, filterType: 0, deflateLevel: 9, deflateStrategy: 0 })
  if (file.length > maxBytes) throw new Error(`${name} has ${file.length} bytes. Choose a smaller part of the view.`)
  writeFileSync(`${stored}${name}.png`, file)
  writeFileSync(versionFile, `${version}\n`)
}

/** The picture with fewer colors. */
function reduced(picture: PNG): PNG {
  const { data } = picture
  const step = 255 / (levels - 1)
  for (let index = 0; index < data.length; index++)
    data[index] = Math.round(Math.round((data[index] ?? 0) / step) * step)
  return picture
}

function majorOf(version: string): string | undefined {
  return version.split('.')[0]
}
