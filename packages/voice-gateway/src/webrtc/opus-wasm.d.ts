/** The WebAssembly edition of the codec: what strangers send is decoded inside its memory, on every machine. */
declare module '@evan/opus/wasm/index.mjs' {
  export class Decoder {
    constructor(options: { readonly channels: 1 | 2; readonly sample_rate: number })
    /** Returns 16-bit samples. @throws Error for what is no Opus */
    decode(packet: Uint8Array): Uint8Array
    /** Frees its memory. */
    drop(): void
  }
  export class Encoder {
    constructor(options: {
      readonly channels: 1 | 2
      readonly sample_rate: number
      readonly application: 'voip' | 'audio'
    })
    /** @param pcm 16-bit samples of one packet */
    encode(pcm: Uint8Array): Uint8Array
    ctl(command: number, value: number): number
    drop(): void
  }
}
