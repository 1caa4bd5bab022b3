/**
 * The code that reads the microphone, for a file of the page's own server: see the option `worklet`. It hands over
 * 1,024 samples at a time, and decides nothing.
 */
export const MICROPHONE_WORKLET = `registerProcessor('colloquy-microphone', class extends AudioWorkletProcessor {
  chunk = new Float32Array(1024)
  length = 0
  process([[samples]]) {
    if (samples) {
      this.chunk.set(samples, this.length)
      this.length += samples.length
      if (this.length + samples.length > 1024) {
        this.port.postMessage(this.chunk.slice(0, this.length))
        this.length = 0
      }
    }
    return true
  }
})
`
