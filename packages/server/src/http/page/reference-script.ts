/** The script of the docs page. It runs in the browser, from the source code of this function. */

interface DocumentLike {
  info?: { version?: string }
  tags?: { name: string; 'x-displayName'?: string }[]
  paths?: Record<string, Record<string, OperationLike>>
}

interface OperationLike {
  tags?: string[]
  description?: string
  parameters?: { name?: string; description?: string; schema?: { items?: { enum?: string[] } } }[]
}

interface BrowserPage {
  readonly Scalar: { createApiReference(selector: string, configuration: object): void }
  readonly localStorage: { getItem(key: string): string | null }
  fetch(url: string): Promise<{ text(): Promise<string> }>
}

/** Loads the documents, adds links to the console, and shows them. It uses nothing outside of its body. */
export async function showReference(
  settings: object,
  sources: readonly { readonly title: string; readonly url: string }[],
  hasConsole: boolean,
): Promise<void> {
  const page = globalThis as unknown as BrowserPage
  /** Limits of 64-bit integers say nothing to readers. */
  const withoutLimits = (key: string, value: unknown) =>
    (key === 'maximum' || key === 'minimum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? undefined : value
  /** The introduction explains repeated parameters. `sort` has a sentence instead of a table with two rows for each property. */
  const shortenParameters = ({ parameters = [] }: OperationLike) => {
    for (const parameter of parameters) {
      const { name, schema: { items } = {}, description = '' } = parameter
      if (description) parameter.description = description.replace(/ Repeat it to match any of several \w+\.$/, '')
      if (name !== 'sort' || !items?.enum) continue
      const properties = items.enum.filter((value) => !value.startsWith('-')).map((value) => `\`${value}\``)
      parameter.description = `${description} Properties: ${properties.join(', ')}.`
      delete items.enum
    }
  }
  const prepare = (text: string): DocumentLike => {
    const document: DocumentLike = JSON.parse(text, withoutLimits)
    const hasVersions = Object.keys(document.paths ?? {}).some((path) => /^\/v\d+\//.test(path))
    // OpenAPI requires a version, but that of an API without versions says nothing.
    if (document.info?.version === '1' && !hasVersions) delete document.info.version
    for (const tag of document.tags ?? [])
      tag['x-displayName'] = (tag.name.charAt(0).toUpperCase() + tag.name.slice(1)).replaceAll('-', ' ')
    for (const [path, item] of Object.entries(document.paths ?? {}))
      for (const operation of Object.values(item)) {
        shortenParameters(operation)
        if (!hasConsole || !operation.tags) continue
        // The console shows the list in front of the first ID.
        const view = path.split('/{')[0]
        operation.description = `${operation.description ?? ''}\n\n[Open in the console](../console/#${view})`.trim()
      }
    return document
  }
  const documents = await Promise.all(
    sources.map(async ({ title, url }) => ({
      title,
      slug: title.toLowerCase().replaceAll(' ', '-'),
      content: prepare(await (await page.fetch(url)).text()),
    })),
  )
  // The color scheme that was chosen in the console.
  const scheme = page.localStorage.getItem('mantine-color-scheme-value')
  const isChosen = scheme === 'dark' || scheme === 'light'
  page.Scalar.createApiReference('#app', {
    ...settings,
    ...(isChosen && { darkMode: scheme === 'dark' }),
    sources: documents,
  })
}
