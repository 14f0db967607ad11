// Frames of one interface as a file of libpcap: bounded by number, bytes and time.
import { captureBytesMax, captureUsual, type CaptureLimits, type Captured } from '../../core/kinds/node/inquiry.ts'
import { pcapFile, pcapHeaderBytes, type CapturedFrame } from '../../core/wire/pcap.ts'
import { pause, type Clock } from '../../platform/clock.ts'
import type { FrameReader } from '../netlink/netlink.ts'

/** What comes in between waits in the socket's buffer (net.core.rmem_default, 208 KiB); more is not in the capture. */
const againMs = 20

/** Closes the reader. Frames have the time at which they were read. A capture that is given up is what there is by then. */
export async function captureFrom(reader: FrameReader, limits: CaptureLimits, clock: Clock, signal: AbortSignal): Promise<Captured> {
  const { packets, seconds, snapLength } = { ...captureUsual, ...limits }
  const frames: CapturedFrame[] = []
  const most = Math.min(packets, Math.floor((captureBytesMax - pcapHeaderBytes.file) / (pcapHeaderBytes.packet + snapLength)))
  const end = clock.elapsed() + seconds * 1_000
  try {
    while (frames.length < most && clock.elapsed() < end && !signal.aborted) {
      const frame = reader.read()
      if (frame === undefined) await pause(againMs, clock, signal)
      else frames.push({ bytes: Uint8Array.from(frame.subarray(0, snapLength)), length: frame.length, at: new Date(clock.now()) })
    }
  } finally {
    reader.close()
  }
  const bytes = frames.reduce((sum, { length }) => sum + length, 0)
  return { packets: frames.length, bytes, pcap: Buffer.from(pcapFile(frames, snapLength)).toString('base64') }
}
