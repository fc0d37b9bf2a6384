import { Module } from '@nestjs/common';
import { RecordModule } from '../record/record.module';
import { StorageModule } from '../storage/storage.module';
import { CheckOperations } from './check.operations';
import { MaintainRepositories } from './maintain-repositories';
import { MaintenanceOperations } from './maintenance.operations';

/** Maintenance and checks of repositories. */
@Module({
  imports: [RecordModule, StorageModule],
  controllers: [CheckOperations, MaintenanceOperations],
  providers: [MaintainRepositories],
  exports: [MaintainRepositories],
})
export class MaintenanceModule {}
