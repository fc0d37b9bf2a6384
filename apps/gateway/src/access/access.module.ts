import { Module } from '@nestjs/common';
import { InputReader } from '../parameters/input-reader';
import { ResourceResolver } from './resource-resolver';
import { Unmodified } from './unmodified';

/** Reads the input, resolves the resource, and checks access. */
@Module({
  providers: [InputReader, ResourceResolver, Unmodified],
  exports: [InputReader, ResourceResolver, Unmodified],
})
export class AccessModule {}
