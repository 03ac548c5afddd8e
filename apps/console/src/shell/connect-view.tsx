/** Where no service is named: asks for the address of one, or of its OpenAPI document. */
import { Button, Container, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { loadDocument } from '../wire/load.ts'

export default function ConnectView() {
  const [address, setAddress] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      const documents = await documentsAt(address.trim())
      location.search = `${new URLSearchParams(documents.map((one) => ['document', one]))}`
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  return (
    <Container size="xs" py={80} component="main">
      <Paper withBorder p="lg">
        <form onSubmit={submit}>
          <Stack>
            <Title order={1} size="h3">
              Which service?
            </Title>
            <Text size="sm" c="dimmed">
              Any service that follows the conventions: its lists, forms and links are drawn from its OpenAPI document.
            </Text>
            {error !== undefined && <ProblemAlert error={error} />}
            <TextInput
              label="Address of the service, or of its OpenAPI document"
              placeholder="https://example.com or https://example.com/openapi.json"
              type="url"
              required
              value={address}
              onChange={({ currentTarget: { value } }) => setAddress(value)}
            />
            <Button type="submit" loading={isBusy} disabled={address.trim() === ''}>
              Open
            </Button>
          </Stack>
        </form>
      </Paper>
    </Container>
  )
}

/** The document itself; below a service, the usual one and those of its first versions. */
async function documentsAt(address: string): Promise<string[]> {
  if (/\.json(\?|$)/i.test(address)) {
    await loadDocument(address)
    return [address]
  }
  const base = address.replace(/\/$/, '')
  const usual = `${base}/openapi.json`
  const first = await loadDocument(usual)
  const versions = [1, 2, 3].map((version) => `${base}/v${version}/openapi.json`)
  const found = await Promise.all(
    versions.map(async (url) => {
      const document = await loadDocument(url).catch(() => undefined)
      // Where all apis have a version, the document without one is the newest of them.
      return document && JSON.stringify(document) !== JSON.stringify(first) ? [url] : []
    }),
  )
  return [usual, ...found.flat()]
}
