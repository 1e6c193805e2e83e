"""Accounts that several servers make at once."""

from concurrent.futures import ThreadPoolExecutor

from modelwright.bootstrap.container import Container
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.users.errors import EmailTaken
from modelwright.users.service import Users

SERVERS = range(6)
EMAIL = "boss@example.org"


class TestMakingAccounts:
    def test_servers_that_start_together_share_one_operator(self, container: Container):
        def start(_server: int) -> str:
            with container.database.transaction(ALL_ACCOUNTS) as db:
                return container.service(Users).operator(db, EMAIL).user_id

        with ThreadPoolExecutor(len(SERVERS)) as pool:
            assert len(set(pool.map(start, SERVERS))) == 1

    def test_an_e_mail_that_is_given_at_once_is_taken_once(self, container: Container):
        def sign_up(_server: int) -> bool:
            try:
                with container.database.transaction(ALL_ACCOUNTS) as db:
                    container.service(Users).create(db, EMAIL)
            except EmailTaken:
                return False
            return True

        with ThreadPoolExecutor(len(SERVERS)) as pool:
            assert sum(pool.map(sign_up, SERVERS)) == 1
