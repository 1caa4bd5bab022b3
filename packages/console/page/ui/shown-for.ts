import { useEffect, useState } from 'preact/hooks'

/** True once the component has been shown for so long, milliseconds: what passes sooner is not worth a word. */
export function useShownFor(milliseconds: number): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), milliseconds)
    return () => clearTimeout(timer)
  }, [])
  return isLate
}
