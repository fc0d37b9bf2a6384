import { isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, mongo } from 'mongoose';
import type { TraceChunk } from './trace.schema';

/** Logs of jobs, in chunks as they arrive. */
@Injectable()
export class Traces {
  constructor(@InjectModel('TraceChunk') private readonly chunks: Model<TraceChunk>) {}

  /** Stored bytes of a job. */
  async sizeOf(jobId: number): Promise<number> {
    const last = await this.chunks
      .findOne({ jobId })
      .sort({ offset: -1 })
      .select('offset sizeBytes')
      .lean<TraceChunk>();
    return last ? last.offset + last.sizeBytes : 0;
  }

  /** @returns false if `offset` is not the end of the trace: it was already added, or a part is missing */
  async append(projectId: number, jobId: number, offset: number, data: Buffer): Promise<boolean> {
    if ((await this.sizeOf(jobId)) !== offset) return false;
    try {
      await this.chunks.create({ projectId, jobId, offset, sizeBytes: data.length, data });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** In order. */
  async *read(jobId: number): AsyncIterable<Buffer> {
    for await (const { data } of this.chunks.collection.find({ jobId }).sort({ offset: 1 })) {
      yield data instanceof mongo.Binary ? Buffer.from(data.buffer) : data;
    }
  }

  /** Its last bytes, up to this number. */
  async tail(jobId: number, bytes: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let total = 0;
    const latestFirst = this.chunks.collection.find({ jobId }).sort({ offset: -1 }).batchSize(10);
    for await (const { data } of latestFirst) {
      const piece = data instanceof mongo.Binary ? Buffer.from(data.buffer) : data;
      pieces.unshift(piece);
      total += piece.length;
      if (total >= bytes) break;
    }
    return Buffer.concat(pieces).subarray(-bytes);
  }

  async remove(jobIds: number[]): Promise<void> {
    await this.chunks.deleteMany({ jobId: { $in: jobIds } });
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.chunks.deleteMany({ projectId });
  }
}
