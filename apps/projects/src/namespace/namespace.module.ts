import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Namespaces } from './namespace.repository';
import { namespaceSchema } from './namespace.schema';
import { routeSchema } from './route.schema';
import { Routes } from './routes';
import { UserNamespaces } from './user-namespaces';

/** Storage of groups, user namespaces and paths. */
@Module({
  imports: [
    MongooseModule.forFeature([
      { name: 'Namespace', schema: namespaceSchema },
      { name: 'Route', schema: routeSchema },
    ]),
  ],
  providers: [Namespaces, Routes, UserNamespaces],
  exports: [MongooseModule, Namespaces, Routes, UserNamespaces],
})
export class NamespaceModule {}
