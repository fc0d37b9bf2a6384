import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Applications } from './application.repository';
import { applicationSchema } from './application.schema';

/** Applications of the OAuth provider. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'Application', schema: applicationSchema }])],
  providers: [Applications],
  exports: [Applications],
})
export class ApplicationModule {}
