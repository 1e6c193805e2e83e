"""Five of the ten databases of `databases.py`: projects, rentals, school, support, a shop."""

from datetime import date, timedelta

from tests.questions.synthetic.columns import (
    LAST,
    PROJECTS,
    Tables,
    later,
    listed,
    paired,
    person,
    ref,
    serial,
    via,
)
from tests.questions.synthetic.more_offices import amount, day, one_of, whole

MORE: dict[str, Tables] = {
    "projects": {
        "Department": (6, {
            "DeptID": serial(10), "DeptName": listed("Engineering", "Design", "Marketing",
                "Research", "Operations", "Finance"),
            "Budget": listed(940000, 310000, 275000, 520000, 405000, 180000),
            "Location": listed("Oslo", "Lisbon", "Lisbon", "Oslo", "Gdansk", "Gdansk")}),
        "Employee": (90, {
            "EmpID": serial(501), "FirstName": person(1000, "{0}"), "LastName": person(1000, "{1}"),
            "DeptID": ref("Department", skew=1.4, gaps=0.03),
            "JobTitle": one_of("Developer", "Analyst", "Designer", "Engineer", "Manager"),
            "Salary": whole(32000, 118000),
            "HireDate": day(date(2012, 1, 1), date(2026, 5, 31))}),
        "Project": (26, {
            "ProjID": serial(), "ProjName": listed(*PROJECTS),
            "Client": one_of("Nordbank", "Helios", "City Council", "Aquila", None),
            "LeadID": ref("Employee", used=0.3, skew=1.2),
            "StartDate": day(date(2023, 6, 1), date(2026, 9, 30)), "Deadline": lambda rng, row:
                row["StartDate"] + timedelta(days=rng.randint(60, 500)),
            "Status": one_of("Active", "Completed", "On Hold"), "Cost": whole(9000, 480000)}),
        "TimeEntry": (400, {
            "EntryID": serial(), "EmpID": ref("Employee", used=0.9, skew=1.3),
            "ProjID": ref("Project", used=0.9, skew=1.3), "WorkDate": day(),
            "Hours": one_of(8.0, 4.0, 6.5, 2.0, 3.5), "Billable": one_of("Yes", "No")}),
        "Skill": (11, {
            "SkillID": serial(), "SkillName": listed("Python", "Excel", "SQL", "Figma", "Java",
                "Negotiation", "Statistics", "Copywriting", "Docker", "Welding", "Photography")}),
        "EmployeeSkill": (200, {
            "EmpID": ref("Employee", used=0.95, skew=1.0), "SkillID": ref("Skill", used=0.9),
            "Level": whole(1, 5)}),
    },
    "rentals": {
        "owners": (34, {
            "id": serial(), "name": person(60), "city": one_of("Porto", "Lisbon", "Faro", "Braga"),
            "phone": lambda rng, _: None if rng.random() < 0.2 else
                f"+351 9{rng.randint(10000000, 69999999)}"}),
        "properties": (95, {
            "id": serial(), "owner_id": ref("owners", used=0.92, skew=1.4),
            "address": lambda rng, row: f"{row['at'] + 3} Rua {rng.choice(LAST)}",
            "city": one_of("Lisbon", "Porto", "Faro", "Coimbra"),
            "type": one_of("Apartment", "House", "Studio"), "bedrooms": whole(1, 5),
            "size_sqm": whole(24, 210), "monthly_rent": whole(420, 2600)}),
        "tenants": (110, {
            "id": serial(), "name": person(100), "occupation": one_of("Nurse", "Student", "Teacher",
                "Engineer", "Chef", None), "birth_year": whole(1950, 2005)}),
        "leases": (150, {
            "id": serial(), "property_id": ref("properties", used=0.88, skew=1.2),
            "tenant_id": ref("tenants", used=0.9, skew=1.3),
            "start_date": day(date(2022, 1, 1), date(2026, 10, 31)),
            "end_date": later("start_date", 180, 900), "deposit": whole(500, 4000)}),
        "payments": (400, {
            "id": serial(), "lease_id": ref("leases", used=0.9, skew=1.1), "paid_on": day(),
            "amount": whole(420, 2600), "method": one_of("Bank transfer", "Card", "Cash")}),
        "repairs": (120, {
            "id": serial(), "property_id": ref("properties", used=0.7), "reported_on": day(),
            "category": one_of("Plumbing", "Electrical", "Heating", "Roof"),
            "cost": amount(30, 1900, gaps=0.08)}),
    },
    "school": {
        "teacher": (16, {
            "TeacherID": serial(), "TFname": person(300, "{0}"), "TLname": person(300, "{1}"),
            "Subject": one_of("Mathematics", "Science", "English", "History", "Art"),
            "HireYear": whole(1994, 2025)}),
        "student": (160, {
            "StudentID": serial(20001), "Fname": person(320, "{0}"), "Lname": person(320, "{1}"),
            "GradeLevel": one_of(9, 10, 11, 12), "Gender": one_of("F", "M"),
            "BirthDate": day(date(2008, 1, 1), date(2012, 12, 31)),
            "House": one_of("Falcon", "Otter", "Heron", None)}),
        "course": (20, {
            "CourseID": serial(), "Title": listed("Algebra", "Geometry", "Biology", "Chemistry",
                "Physics", "World History", "Poetry", "Drama", "Statistics", "Painting", "Ceramics",
                "Geology", "Calculus", "Grammar", "Astronomy", "Latin", "Civics", "Ecology",
                "Logic", "Economics"), "Credits": one_of(3, 4, 2, 6),
            "TeacherID": ref("teacher", used=0.88, skew=1.2), "Room": whole(101, 130)}),
        "enrolment": (380, {
            "StudentID": ref("student", used=0.94, skew=1.1), "CourseID": ref("course", used=0.95),
            "Term": one_of("Autumn", "Spring"), "Mark": whole(31, 100, gaps=0.07)}),
        "club": (9, {
            "ClubID": serial(), "ClubName": listed("Chess", "Debating", "Robotics", "Choir",
                "Photography", "Gardening", "Film", "Cycling", "Juggling"),
            "AdvisorID": ref("teacher", skew=1.0), "FoundedYear": whole(1988, 2023)}),
        "membership": (170, {
            "StudentID": ref("student", used=0.7, skew=1.1), "ClubID": ref("club", used=0.89),
            "Role": one_of("Member", "Member", "Treasurer", "Captain")}),
    },
    "support": {
        "accounts": (40, {
            "account_id": serial(), "company": paired(["Arden", "Bolt", "Cedar", "Dynamo", "Elm",
                "Fjord", "Gable"], ["Labs", "Foods", "Logistics", "Media", "Partners", "Energy"]),
            "industry": one_of("Retail", "Finance", "Education", "Healthcare"),
            "country": one_of("Germany", "Sweden", "Spain", "Ireland"),
            "plan": one_of("Basic", "Pro", "Enterprise"), "mrr": whole(90, 7400)}),
        "contacts": (110, {
            "contact_id": serial(), "account_id": ref("accounts", used=0.95, skew=1.2),
            "contact_name": person(500), "email": lambda _, row:
                row["contact_name"].lower().replace(" ", ".") + "@firm.test",
            "language": one_of("English", "German", "Spanish", "Swedish")}),
        "agents": (15, {
            "agent_id": serial(), "agent_name": person(480),
            "team": one_of("Billing", "Technical", "Onboarding"),
            "hired_on": day(date(2017, 1, 1), date(2026, 4, 30)),
            "site": one_of("Malmo", "Cork", "Valencia")}),
        "tickets": (390, {
            "ticket_id": serial(70001), "contact_id": ref("contacts", used=0.88),
            "agent_id": ref("agents", used=0.9, gaps=0.08), "subject": one_of("Cannot log in",
                "Wrong invoice", "Export fails", "Slow dashboard", "Missing data"),
            "priority": one_of("Normal", "Low", "High", "Urgent"), "created_at": day(),
            "closed_at": later("created_at", 0, 30, gaps=0.15),
            "satisfaction": whole(1, 5, gaps=0.35)}),
        "tags": (10, {
            "tag_id": serial(), "tag": listed("refund", "bug", "vip", "security", "mobile",
                "feature request", "outage", "training", "duplicate", "legal")}),
        "ticket_tags": (300, {
            "ticket_id": ref("tickets", skew=1.0), "tag_id": ref("tags", used=0.9)}),
    },
    "webshop": {
        "categories": (8, {
            "category_id": serial(), "category_name": listed("Kitchen", "Toys", "Garden", "Books",
                "Sports", "Lighting", "Office", "Pets")}),
        "suppliers": (12, {
            "supplier_id": serial(), "supplier_name": paired(["Alpine", "Baltic", "Coral", "Delta"],
                ["Traders", "Works", "Supply"]),
            "country": one_of("Italy", "Poland", "China", "Denmark")}),
        "products": (110, {
            "product_id": serial(), "product_name": paired(["Compact", "Deluxe", "Eco", "Mini",
                "Premium", "Classic", "Foldable", "Smart"], ["Lamp", "Kettle", "Puzzle", "Basket",
                "Stool", "Notebook", "Ball", "Rake", "Mug", "Tent", "Brush", "Clock", "Leash",
                "Tray", "Shelf"]), "category_id": ref("categories", skew=1.2),
            "supplier_id": ref("suppliers", used=0.92), "price": amount(3, 240),
            "stock": whole(0, 160), "weight_kg": amount(0.1, 14, gaps=0.1)}),
        "customers": (125, {
            "customer_id": serial(), "customer_name": person(760),
            "country": one_of("Austria", "Belgium", "France", "Portugal"),
            "registered_on": day(date(2022, 1, 1), date(2026, 8, 31)),
            "newsletter": one_of("no", "yes")}),
        "orders": (330, {
            "order_id": serial(9001), "customer_id": ref("customers", used=0.9),
            "order_date": day(), "status": one_of("shipped", "delivered", "cancelled", "pending"),
            "payment_method": one_of("card", "paypal", "invoice")}),
        "order_items": (400, {
            "order_id": ref("orders", skew=1.0), "product_id": ref("products", used=0.9),
            "quantity": whole(1, 6), "unit_price": lambda _, row:
                via("products", "product_id", "price")(row)}),
    },
}  # fmt: skip
