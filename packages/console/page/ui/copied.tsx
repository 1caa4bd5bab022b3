import { useRef, useState } from 'preact/hooks'
import { say } from '../texts/common.ts'
import { Button } from './button.tsx'

/** Selects the text, and lets the browser copy it, for browsers without a clipboard API on pages without TLS. */
function copySelected(place: Node): boolean {
  const selection = getSelection()
  selection?.selectAllChildren(place)
  return document.execCommand('copy')
}

/** Shows a text to copy, letter by letter, with a button that does. */
export function Copied({ text }: { readonly text: string }) {
  const place = useRef<HTMLElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // If that fails too, the text is selected.
      if (place.current !== null) setCopied(copySelected(place.current))
    }
  }
  return (
    <div class="stack tight">
      <p class="secret">
        <code ref={place}>{text}</code>
      </p>
      <div class="actions">
        <Button icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()}>
          {say(isCopied ? 'copied' : 'copy')}
        </Button>
      </div>
    </div>
  )
}
