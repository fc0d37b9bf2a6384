import { Module } from '@nestjs/common';
import { InputReader } from '../parameters/input-reader';
import { ResourceResolver } from './resource-resolver';
import { Unmodified } from './unmodified';

/** What is asked, of which resource, and whether that caller may. */
@Module({
  providers: [InputReader, ResourceResolver, Unmodified],
  exports: [InputReader, ResourceResolver, Unmodified],
})
export class AccessModule {}
