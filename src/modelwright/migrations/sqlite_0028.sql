CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
)

CREATE TABLE audit (
	entry_id VARCHAR(64) NOT NULL, 
	at DATETIME NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	actor VARCHAR NOT NULL, 
	key_id VARCHAR, 
	operation VARCHAR NOT NULL, 
	resource VARCHAR NOT NULL, 
	path VARCHAR NOT NULL, 
	address VARCHAR NOT NULL, 
	request_id VARCHAR NOT NULL, sequence BIGINT, previous VARCHAR(64), digest VARCHAR(64), 
	CONSTRAINT pk_audit PRIMARY KEY (entry_id)
)

CREATE INDEX ix_audit_account_id ON audit (account_id)

CREATE TRIGGER audit_update before update on audit begin select raise(abort, 'the audit log is only added to'); end

CREATE TABLE api_keys (
	key_id VARCHAR(64) NOT NULL, 
	name VARCHAR NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	prefix VARCHAR NOT NULL, 
	suffix VARCHAR NOT NULL, 
	level VARCHAR NOT NULL, 
	status VARCHAR NOT NULL, 
	created_by VARCHAR NOT NULL, 
	created_at DATETIME NOT NULL, 
	expires_at DATETIME, 
	revoked_at DATETIME, 
	account_id VARCHAR(64) NOT NULL, scopes JSON, allowed_networks JSON, former_hash VARCHAR(64), former_until DATETIME, 
	CONSTRAINT pk_api_keys PRIMARY KEY (key_id), 
	CONSTRAINT uq_api_keys_hash UNIQUE (hash)
)

CREATE INDEX ix_api_keys_account_id ON api_keys (account_id)

CREATE TABLE dataset_versions (
	upload_id VARCHAR(64) NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	own VARCHAR(64) NOT NULL, 
	major INTEGER NOT NULL, 
	minor INTEGER NOT NULL, 
	shape JSON NOT NULL, 
	created_at DATETIME NOT NULL, 
	file_count INTEGER NOT NULL, 
	total_size_bytes BIGINT NOT NULL, 
	deleted_at DATETIME, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_dataset_versions PRIMARY KEY (upload_id), 
	CONSTRAINT uq_dataset_versions_label UNIQUE (account_id, name, own, major, minor)
)

CREATE INDEX ix_dataset_versions_account_id ON dataset_versions (account_id)

CREATE INDEX ix_dataset_versions_account_id_name ON dataset_versions (account_id, name)

CREATE TABLE duties (
	name VARCHAR NOT NULL, 
	due_at DATETIME NOT NULL, 
	CONSTRAINT pk_duties PRIMARY KEY (name)
)

CREATE TABLE idempotent_answers (
	answer_id VARCHAR(64) NOT NULL, 
	fingerprint VARCHAR(64) NOT NULL, 
	answer JSON NOT NULL, 
	created_at DATETIME NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_idempotent_answers PRIMARY KEY (answer_id)
)

CREATE INDEX ix_idempotent_answers_account_id ON idempotent_answers (account_id)

CREATE INDEX ix_idempotent_answers_created_at ON idempotent_answers (created_at)

CREATE TABLE job_logs (
	sequence INTEGER NOT NULL, 
	job_id VARCHAR NOT NULL, 
	timestamp DATETIME NOT NULL, 
	level VARCHAR NOT NULL, 
	message TEXT NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_job_logs PRIMARY KEY (sequence)
)

CREATE INDEX ix_job_logs_account_id ON job_logs (account_id)

CREATE INDEX ix_job_logs_job_id ON job_logs (job_id)

CREATE TABLE jobs (
	job_id VARCHAR NOT NULL, 
	kind VARCHAR NOT NULL, 
	lane VARCHAR NOT NULL, 
	subject VARCHAR NOT NULL, 
	resource JSON NOT NULL, 
	status VARCHAR NOT NULL, 
	progress INTEGER NOT NULL, 
	stage VARCHAR NOT NULL, 
	attempts INTEGER NOT NULL, 
	failures INTEGER NOT NULL, 
	crashes INTEGER NOT NULL, 
	run_after DATETIME NOT NULL, 
	lease_owner VARCHAR, 
	lease_until DATETIME, 
	cancel_requested BOOLEAN NOT NULL, 
	error TEXT, 
	created_at DATETIME NOT NULL, 
	started_at DATETIME, 
	completed_at DATETIME, 
	account_id VARCHAR(64) NOT NULL, is_small BOOLEAN DEFAULT 1 NOT NULL, 
	CONSTRAINT pk_jobs PRIMARY KEY (job_id)
)

CREATE INDEX ix_jobs_account_id ON jobs (account_id)

CREATE INDEX ix_jobs_kind_subject ON jobs (kind, subject)

CREATE INDEX ix_jobs_lease_owner ON jobs (lease_owner)

CREATE INDEX ix_jobs_status_lane_run_after ON jobs (status, lane, run_after)

CREATE TABLE models (
	model_id VARCHAR(64) NOT NULL, 
	model_name VARCHAR(100) NOT NULL, 
	name TEXT NOT NULL, 
	description TEXT NOT NULL, 
	tags JSON NOT NULL, 
	created_by VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	account_id VARCHAR(64) NOT NULL, trashed_at DATETIME, trashed_name VARCHAR(100), 
	CONSTRAINT pk_models PRIMARY KEY (model_id), 
	CONSTRAINT uq_models_account_id_model_name UNIQUE (account_id, model_name)
)

CREATE INDEX ix_models_account_id ON models (account_id)

CREATE INDEX ix_models_created_at ON models (created_at)

CREATE TABLE upload_remains (
	upload_id VARCHAR(64) NOT NULL, 
	until DATETIME NOT NULL, 
	CONSTRAINT pk_upload_remains PRIMARY KEY (upload_id)
)

CREATE TABLE uploads (
	upload_id VARCHAR(64) NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	is_named BOOLEAN NOT NULL, 
	description TEXT, 
	status VARCHAR(16) NOT NULL, 
	created_by VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	expires_at DATETIME NOT NULL, 
	completed_at DATETIME, 
	estimated_completion DATETIME, 
	error TEXT, 
	account_id VARCHAR(64) NOT NULL, trashed_at DATETIME, dataset_version VARCHAR(32), 
	CONSTRAINT pk_uploads PRIMARY KEY (upload_id)
)

CREATE INDEX ix_uploads_account_id ON uploads (account_id)

CREATE INDEX ix_uploads_account_id_created_at ON uploads (account_id, created_at)

CREATE INDEX ix_uploads_account_id_name ON uploads (account_id, name)

CREATE INDEX ix_uploads_status_expires_at ON uploads (status, expires_at)

CREATE TABLE usage (
	usage_id INTEGER NOT NULL, 
	hour DATETIME NOT NULL, 
	kind VARCHAR(40) NOT NULL, 
	key_id VARCHAR(64) NOT NULL, 
	quantity DOUBLE NOT NULL, 
	last_at DATETIME NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_usage PRIMARY KEY (usage_id), 
	CONSTRAINT uq_usage_account_id_hour_kind_key_id UNIQUE (account_id, hour, kind, key_id)
)

CREATE INDEX ix_usage_account_id ON usage (account_id)

CREATE INDEX ix_usage_key_id_hour ON usage (key_id, hour)

CREATE TABLE users (
	user_id VARCHAR(64) NOT NULL, 
	email VARCHAR(254) NOT NULL, 
	name VARCHAR NOT NULL, 
	user_name VARCHAR NOT NULL, 
	tier VARCHAR NOT NULL, 
	is_operator BOOLEAN NOT NULL, 
	is_active BOOLEAN NOT NULL, 
	credits INTEGER NOT NULL, 
	created_at DATETIME NOT NULL, password_hash VARCHAR, 
	CONSTRAINT pk_users PRIMARY KEY (user_id), 
	CONSTRAINT uq_users_email UNIQUE (email)
)

CREATE TABLE model_versions (
	version_id VARCHAR(64) NOT NULL, 
	model_id VARCHAR(64) NOT NULL, 
	version INTEGER NOT NULL, 
	label VARCHAR(32) NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	wish JSON NOT NULL, 
	input_schema JSON, 
	output_schema JSON, 
	metrics JSON NOT NULL, 
	"plan" JSON, 
	training JSON NOT NULL, 
	artifact VARCHAR(120), 
	error TEXT, 
	deployment_status VARCHAR(16), 
	created_at DATETIME NOT NULL, 
	updated_at DATETIME NOT NULL, 
	account_id VARCHAR(64) NOT NULL, trashed_at DATETIME, 
	CONSTRAINT pk_model_versions PRIMARY KEY (version_id), 
	CONSTRAINT fk_model_versions_model_id FOREIGN KEY(model_id) REFERENCES models (model_id) ON DELETE CASCADE, 
	CONSTRAINT uq_model_versions_model_id_label UNIQUE (model_id, label), 
	CONSTRAINT uq_model_versions_model_id_version UNIQUE (model_id, version)
)

CREATE INDEX ix_model_versions_account_id ON model_versions (account_id)

CREATE TABLE upload_claims (
	upload_id VARCHAR(64) NOT NULL, 
	claimed_by VARCHAR(64) NOT NULL, 
	model_id VARCHAR(64) NOT NULL, 
	model_name TEXT NOT NULL, 
	version VARCHAR(32) NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_upload_claims PRIMARY KEY (upload_id, claimed_by), 
	CONSTRAINT fk_upload_claims_upload_id FOREIGN KEY(upload_id) REFERENCES uploads (upload_id)
)

CREATE INDEX ix_upload_claims_account_id ON upload_claims (account_id)

CREATE INDEX ix_upload_claims_claimed_by ON upload_claims (claimed_by)

CREATE TABLE upload_files (
	upload_id VARCHAR(64) NOT NULL, 
	number INTEGER NOT NULL, 
	filename VARCHAR(255) NOT NULL, 
	content_type TEXT NOT NULL, 
	declared_bytes BIGINT, 
	size_bytes BIGINT, 
	object_key TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	table_key TEXT, 
	format VARCHAR(16), 
	rows BIGINT, 
	columns INTEGER, 
	column_info JSON, 
	error JSON, 
	account_id VARCHAR(64) NOT NULL, notices JSON, options JSON, copied_from TEXT, read_as JSON, 
	CONSTRAINT pk_upload_files PRIMARY KEY (upload_id, number), 
	CONSTRAINT fk_upload_files_upload_id FOREIGN KEY(upload_id) REFERENCES uploads (upload_id) ON DELETE CASCADE
)

CREATE INDEX ix_upload_files_account_id ON upload_files (account_id)

CREATE TABLE data_sessions (
	session_id VARCHAR(64) NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	upload_id VARCHAR(64) NOT NULL, 
	dataset VARCHAR(300) NOT NULL, 
	slot INTEGER, 
	is_default BOOLEAN NOT NULL, 
	created_at DATETIME NOT NULL, 
	expires_at DATETIME NOT NULL, 
	ended_at DATETIME, 
	tables JSON NOT NULL, 
	account_id VARCHAR(64) NOT NULL, machine_id VARCHAR(64), 
	CONSTRAINT pk_data_sessions PRIMARY KEY (session_id), 
	CONSTRAINT uq_data_sessions_slot UNIQUE (account_id, slot)
)

CREATE INDEX ix_data_sessions_account_id ON data_sessions (account_id)

CREATE INDEX ix_data_sessions_account_id_created_at ON data_sessions (account_id, created_at)

CREATE INDEX ix_data_sessions_upload_id ON data_sessions (upload_id)

CREATE TABLE exports (
	export_id VARCHAR(64) NOT NULL, 
	upload_id VARCHAR(64) NOT NULL, 
	upload_name VARCHAR(255) NOT NULL, 
	job_id VARCHAR(64) NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	format VARCHAR(16), 
	include_headers BOOLEAN NOT NULL, 
	email TEXT, 
	notified_at DATETIME, 
	base_url TEXT NOT NULL, 
	created_at DATETIME NOT NULL, 
	estimated_completion DATETIME NOT NULL, 
	completed_at DATETIME, 
	expires_at DATETIME, 
	error TEXT, 
	files JSON NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_exports PRIMARY KEY (export_id)
)

CREATE INDEX ix_exports_account_id ON exports (account_id)

CREATE INDEX ix_exports_expires_at ON exports (expires_at)

CREATE INDEX ix_exports_upload_id ON exports (upload_id)

CREATE TABLE queries (
	query_id VARCHAR(64) NOT NULL, 
	session_id VARCHAR(64) NOT NULL, 
	dataset VARCHAR(300) NOT NULL, 
	query_type VARCHAR(16) NOT NULL, 
	"query" TEXT NOT NULL, 
	executed_at DATETIME NOT NULL, 
	execution_time_ms DOUBLE NOT NULL, 
	sql TEXT, 
	interpretation TEXT, 
	picture JSON, 
	verified BOOLEAN NOT NULL, 
	row_count INTEGER, 
	error TEXT, 
	account_id VARCHAR(64) NOT NULL, question TEXT, choices JSON, confidence DOUBLE, read_by JSON, warnings JSON, 
	CONSTRAINT pk_queries PRIMARY KEY (query_id)
)

CREATE INDEX ix_queries_account_id ON queries (account_id)

CREATE INDEX ix_queries_session_id_query_id ON queries (session_id, query_id)

CREATE TABLE verified_queries (
	query_id VARCHAR(64) NOT NULL, 
	dataset VARCHAR(300) NOT NULL, 
	fingerprint VARCHAR(64) NOT NULL, 
	"query" TEXT NOT NULL, 
	sql TEXT NOT NULL, 
	interpretation TEXT, 
	picture JSON, 
	verified_at DATETIME NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_verified_queries PRIMARY KEY (query_id), 
	CONSTRAINT uq_verified_queries_asked UNIQUE (account_id, dataset, fingerprint)
)

CREATE INDEX ix_verified_queries_account_id ON verified_queries (account_id)

CREATE TABLE console_sessions (
	session_id VARCHAR(64) NOT NULL, 
	token_hash VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	last_seen_at DATETIME NOT NULL, 
	account_id VARCHAR(64) NOT NULL, address VARCHAR, user_agent VARCHAR, 
	CONSTRAINT pk_console_sessions PRIMARY KEY (session_id), 
	CONSTRAINT uq_console_sessions_token_hash UNIQUE (token_hash)
)

CREATE INDEX ix_console_sessions_account_id ON console_sessions (account_id)

CREATE INDEX ix_console_sessions_last_seen_at ON console_sessions (last_seen_at)

CREATE TABLE deployments (
	deployment_id VARCHAR(64) NOT NULL, 
	model_id VARCHAR(64) NOT NULL, 
	model_name VARCHAR(100) NOT NULL, 
	model_version VARCHAR(32) NOT NULL, 
	version_id VARCHAR(64) NOT NULL, 
	version INTEGER NOT NULL, 
	artifact VARCHAR(120) NOT NULL, 
	environment VARCHAR(16) NOT NULL, 
	replicas INTEGER NOT NULL, 
	auto_scale BOOLEAN NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	error TEXT, 
	created_at DATETIME NOT NULL, 
	undeployed_at DATETIME, 
	account_id VARCHAR(64) NOT NULL, replaced_by VARCHAR(64), 
	CONSTRAINT pk_deployments PRIMARY KEY (deployment_id)
)

CREATE INDEX ix_deployments_account_id ON deployments (account_id)

CREATE INDEX ix_deployments_account_id_model_id ON deployments (account_id, model_id)

CREATE INDEX ix_deployments_version_id ON deployments (version_id)

CREATE TABLE analyses (
	analysis_id VARCHAR(64) NOT NULL, 
	job_id VARCHAR(64) NOT NULL, 
	upload_id VARCHAR(64) NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	type VARCHAR(16) NOT NULL, 
	subjects JSON NOT NULL, 
	"key" VARCHAR(255), 
	created_at DATETIME NOT NULL, 
	estimated_completion DATETIME NOT NULL, 
	completed_at DATETIME, 
	error TEXT, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_analyses PRIMARY KEY (analysis_id), 
	CONSTRAINT uq_analyses_job_id UNIQUE (job_id)
)

CREATE INDEX ix_analyses_account_id ON analyses (account_id)

CREATE INDEX ix_analyses_upload_id ON analyses (upload_id)

CREATE TABLE visualizations (
	visualization_id VARCHAR(64) NOT NULL, 
	analysis_id VARCHAR(64) NOT NULL, 
	job_id VARCHAR(64) NOT NULL, 
	upload_id VARCHAR(64) NOT NULL, 
	filename VARCHAR(255) NOT NULL, 
	type VARCHAR(32) NOT NULL, 
	title TEXT NOT NULL, 
	"key" VARCHAR(255) NOT NULL, 
	created_at DATETIME NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_visualizations PRIMARY KEY (visualization_id)
)

CREATE INDEX ix_visualizations_account_id ON visualizations (account_id)

CREATE INDEX ix_visualizations_account_id_visualization_id ON visualizations (account_id, visualization_id)

CREATE INDEX ix_visualizations_analysis_id ON visualizations (analysis_id)

CREATE TABLE connections (
	connection_id VARCHAR(64) NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	type VARCHAR(16) NOT NULL, 
	host VARCHAR(255), 
	port INTEGER, 
	"database" TEXT NOT NULL, 
	username VARCHAR(255), 
	sealed TEXT, 
	options JSON NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	error TEXT, 
	created_at DATETIME NOT NULL, 
	last_used_at DATETIME, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_connections PRIMARY KEY (connection_id)
)

CREATE INDEX ix_connections_account_id ON connections (account_id)

CREATE TABLE ingestions (
	ingestion_id VARCHAR(64) NOT NULL, 
	connection_id VARCHAR(64) NOT NULL, 
	source_table TEXT, 
	"query" TEXT, 
	dataset_name VARCHAR(255) NOT NULL, 
	schedule VARCHAR(255), 
	next_run_at DATETIME, 
	status VARCHAR(16) NOT NULL, 
	error TEXT, 
	job_id VARCHAR(64) NOT NULL, 
	arriving_id VARCHAR(64), 
	upload_id VARCHAR(64), 
	rows BIGINT, 
	created_at DATETIME NOT NULL, 
	completed_at DATETIME, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_ingestions PRIMARY KEY (ingestion_id)
)

CREATE INDEX ix_ingestions_account_id ON ingestions (account_id)

CREATE INDEX ix_ingestions_connection_id ON ingestions (connection_id)

CREATE INDEX ix_ingestions_next_run_at ON ingestions (next_run_at)

CREATE TABLE departed_accounts (
	account_id VARCHAR(64) NOT NULL, 
	until DATETIME NOT NULL, 
	CONSTRAINT pk_departed_accounts PRIMARY KEY (account_id)
)

CREATE TABLE scorings (
	export_id VARCHAR(64) NOT NULL, 
	version_id VARCHAR(64) NOT NULL, 
	artifact VARCHAR(120) NOT NULL, 
	include JSON NOT NULL, 
	rows JSON NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_scorings PRIMARY KEY (export_id), 
	CONSTRAINT fk_scorings_export_id FOREIGN KEY(export_id) REFERENCES exports (export_id) ON DELETE CASCADE
)

CREATE INDEX ix_scorings_account_id ON scorings (account_id)

CREATE INDEX ix_scorings_version_id ON scorings (version_id)

CREATE TABLE prediction_counts (
	version_id VARCHAR(64) NOT NULL, 
	hour DATETIME NOT NULL, 
	rows BIGINT NOT NULL, 
	counts JSON NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_prediction_counts PRIMARY KEY (version_id, hour), 
	CONSTRAINT fk_prediction_counts_version_id FOREIGN KEY(version_id) REFERENCES model_versions (version_id) ON DELETE CASCADE
)

CREATE INDEX ix_prediction_counts_account_id ON prediction_counts (account_id)

CREATE TABLE kept_predictions (
	kept_id INTEGER NOT NULL, 
	version_id VARCHAR(64) NOT NULL, 
	first_ms BIGINT NOT NULL, 
	last_ms BIGINT NOT NULL, 
	rows BIGINT NOT NULL, 
	content BLOB NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_kept_predictions PRIMARY KEY (kept_id), 
	CONSTRAINT fk_kept_predictions_version_id FOREIGN KEY(version_id) REFERENCES model_versions (version_id) ON DELETE CASCADE
)

CREATE INDEX ix_kept_predictions_account_id ON kept_predictions (account_id)

CREATE INDEX ix_kept_predictions_version_id_last_ms ON kept_predictions (version_id, last_ms)

CREATE TABLE truths (
	version_id VARCHAR(64) NOT NULL, 
	request_id VARCHAR(64) NOT NULL, 
	predicted DOUBLE NOT NULL, 
	link BLOB NOT NULL, 
	actual DOUBLE NOT NULL, 
	asked_at DATETIME NOT NULL, 
	told_at DATETIME NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_truths PRIMARY KEY (version_id, request_id), 
	CONSTRAINT fk_truths_version_id FOREIGN KEY(version_id) REFERENCES model_versions (version_id) ON DELETE CASCADE
)

CREATE INDEX ix_truths_account_id ON truths (account_id)

CREATE INDEX ix_truths_version_id_asked_at ON truths (version_id, asked_at)

CREATE TRIGGER audit_delete before delete on audit when old.at > datetime('now', '-28 days') begin select raise(abort, 'the audit log keeps its last four weeks'); end

CREATE TABLE "objects_marks" (
	mark VARCHAR(64) NOT NULL, 
	is_placed BOOLEAN DEFAULT 1 NOT NULL, 
	alarm TEXT, turn VARCHAR(64), next_turn VARCHAR(64), 
	CONSTRAINT pk_objects_marks PRIMARY KEY (mark)
)

CREATE TABLE machines (
	machine_id VARCHAR(64) NOT NULL, 
	name VARCHAR(255) NOT NULL, 
	address VARCHAR(300) NOT NULL, 
	version VARCHAR(32) NOT NULL, 
	room INTEGER NOT NULL, 
	is_draining BOOLEAN NOT NULL, 
	seen_at DATETIME NOT NULL, 
	api_until DATETIME, 
	worker_until DATETIME, 
	replicas_until DATETIME, 
	CONSTRAINT pk_machines PRIMARY KEY (machine_id)
)

CREATE TABLE leader_leases (
	name VARCHAR(64) NOT NULL, 
	holder VARCHAR(64) NOT NULL, 
	until DATETIME NOT NULL, 
	CONSTRAINT pk_leader_leases PRIMARY KEY (name)
)

CREATE TABLE replicas (
	replica_id VARCHAR(64) NOT NULL, 
	deployment_id VARCHAR(64) NOT NULL, 
	pool VARCHAR(64) NOT NULL, 
	machine_id VARCHAR(64) NOT NULL, 
	status VARCHAR(16) NOT NULL, 
	socket VARCHAR(100) NOT NULL, 
	address VARCHAR(300) NOT NULL, 
	load DOUBLE NOT NULL, 
	error TEXT, 
	is_final BOOLEAN NOT NULL, 
	created_at DATETIME NOT NULL, 
	lease_until DATETIME, 
	CONSTRAINT pk_replicas PRIMARY KEY (replica_id)
)

CREATE INDEX ix_replicas_deployment_id ON replicas (deployment_id)

CREATE INDEX ix_replicas_pool ON replicas (pool)

CREATE TABLE catalogs (
	account_id VARCHAR(64) NOT NULL, 
	dataset VARCHAR(300) NOT NULL, 
	corrections JSON NOT NULL, 
	updated_at DATETIME NOT NULL, 
	CONSTRAINT pk_catalogs PRIMARY KEY (account_id, dataset)
)

CREATE TABLE catalog_synonyms (
	query_id VARCHAR(64) NOT NULL, 
	number INTEGER NOT NULL, 
	dataset VARCHAR(300) NOT NULL, 
	table_name TEXT NOT NULL, 
	column_name TEXT NOT NULL, 
	words TEXT NOT NULL, 
	account_id VARCHAR(64) NOT NULL, value JSON, 
	CONSTRAINT pk_catalog_synonyms PRIMARY KEY (query_id, number)
)

CREATE INDEX ix_catalog_synonyms_account_id ON catalog_synonyms (account_id)

CREATE INDEX ix_catalog_synonyms_dataset ON catalog_synonyms (dataset)

CREATE UNIQUE INDEX ix_audit_sequence ON audit (sequence)

CREATE INDEX ix_audit_resource ON audit (resource)

CREATE TABLE audit_heads (
	chain VARCHAR(16) NOT NULL, 
	sequence BIGINT NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	first_entry_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_audit_heads PRIMARY KEY (chain)
)

CREATE TABLE audit_anchors (
	anchor_id VARCHAR(64) NOT NULL, 
	sequence BIGINT NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	pruned_at DATETIME NOT NULL, 
	signature VARCHAR NOT NULL, 
	CONSTRAINT pk_audit_anchors PRIMARY KEY (anchor_id)
)

CREATE UNIQUE INDEX ix_api_keys_former_hash ON api_keys (former_hash)

CREATE TABLE oidc_identities (
	identity_id VARCHAR(64) NOT NULL, 
	issuer TEXT NOT NULL, 
	subject VARCHAR(255) NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_oidc_identities PRIMARY KEY (identity_id), 
	CONSTRAINT uq_oidc_identities_issuer_subject UNIQUE (issuer, subject)
)

CREATE INDEX ix_oidc_identities_account_id ON oidc_identities (account_id)

CREATE TABLE signing_keys (
	key_id VARCHAR(64) NOT NULL, 
	public_key VARCHAR NOT NULL, 
	created_at DATETIME NOT NULL, 
	CONSTRAINT pk_signing_keys PRIMARY KEY (key_id)
)

CREATE TABLE second_factors (
	factor_id VARCHAR(64) NOT NULL, 
	sealed TEXT NOT NULL, 
	last_step BIGINT NOT NULL, 
	created_at DATETIME NOT NULL, 
	confirmed_at DATETIME, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_second_factors PRIMARY KEY (factor_id), 
	CONSTRAINT uq_second_factors_account_id UNIQUE (account_id)
)

CREATE INDEX ix_second_factors_account_id ON second_factors (account_id)

CREATE TABLE recovery_codes (
	code_id VARCHAR(64) NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_recovery_codes PRIMARY KEY (code_id)
)

CREATE INDEX ix_recovery_codes_account_id ON recovery_codes (account_id)

CREATE TABLE scoring_steps (
	export_id VARCHAR(64) NOT NULL, 
	number INTEGER NOT NULL, 
	file INTEGER NOT NULL, 
	first_row BIGINT NOT NULL, 
	rows BIGINT NOT NULL, 
	is_lenient BOOLEAN NOT NULL, 
	tries INTEGER NOT NULL, 
	holder VARCHAR(100), 
	"key" VARCHAR(200), 
	made JSON, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_scoring_steps PRIMARY KEY (export_id, number), 
	CONSTRAINT fk_scoring_steps_export_id FOREIGN KEY(export_id) REFERENCES exports (export_id) ON DELETE CASCADE
)

CREATE INDEX ix_scoring_steps_account_id ON scoring_steps (account_id)

CREATE TABLE endpoints (
	model_id VARCHAR(64) NOT NULL, 
	environment VARCHAR(16) NOT NULL, 
	change_id VARCHAR(64) NOT NULL, 
	version_id VARCHAR(64) NOT NULL, 
	model_version VARCHAR(32) NOT NULL, 
	artifact VARCHAR(120) NOT NULL, 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_endpoints PRIMARY KEY (model_id, environment), 
	CONSTRAINT fk_endpoints_model_id FOREIGN KEY(model_id) REFERENCES models (model_id) ON DELETE CASCADE
)

CREATE INDEX ix_endpoints_account_id ON endpoints (account_id)

CREATE TABLE endpoint_changes (
	change_id VARCHAR(64) NOT NULL, 
	model_id VARCHAR(64) NOT NULL, 
	environment VARCHAR(16) NOT NULL, 
	version_id VARCHAR(64) NOT NULL, 
	model_version VARCHAR(32) NOT NULL, 
	since DATETIME NOT NULL, 
	until DATETIME, 
	changed_by VARCHAR(254), 
	key_name VARCHAR, 
	back_to VARCHAR(64), 
	account_id VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_endpoint_changes PRIMARY KEY (change_id), 
	CONSTRAINT fk_endpoint_changes_model_id FOREIGN KEY(model_id) REFERENCES models (model_id) ON DELETE CASCADE
)

CREATE INDEX ix_endpoint_changes_account_id ON endpoint_changes (account_id)

CREATE INDEX ix_endpoint_changes_model_id_environment ON endpoint_changes (model_id, environment)
